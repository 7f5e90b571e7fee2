//! The kinds that are known, with an example and a counter-example of each.

use crate::rules::{Class, PLACES, Piece, Place, RULES, Rule};

/// One way to know a kind of secret. Several entries may have the same kind.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    inner: Inner,
}

#[derive(Clone, Copy, Debug)]
enum Inner {
    Shape(&'static Rule),
    Place(&'static Place),
}

/// All entries, in a fixed order.
///
/// ```
/// use memory_guard::{catalogue, kinds};
/// // Counts up: any source of numbers will do.
/// let mut n = 0;
/// let mut draw = |below: usize| {
///     n += 7;
///     n % below
/// };
/// let npm = catalogue().find(|entry| entry.kind() == "npm-token").unwrap();
/// assert_eq!(kinds(&npm.example(&mut draw)), ["npm-token"]);
/// assert!(kinds(&npm.counter_example(&mut draw)).is_empty());
/// ```
pub fn catalogue() -> impl Iterator<Item = Entry> {
    RULES
        .iter()
        .map(|rule| Entry { inner: Inner::Shape(rule) })
        .chain(PLACES.iter().map(|place| Entry { inner: Inner::Place(place) }))
}

impl Entry {
    /// The name that findings carry.
    pub fn kind(&self) -> &'static str {
        match self.inner {
            Inner::Shape(rule) => rule.kind,
            Inner::Place(place) => place.kind,
        }
    }

    /// Where the shape is documented.
    pub fn source(&self) -> &'static str {
        match self.inner {
            Inner::Shape(rule) => rule.source,
            Inner::Place(place) => place.source,
        }
    }

    /// Whether a prefix or a checkable structure tells the kind, so that no
    /// context is needed.
    pub fn is_structured(&self) -> bool {
        matches!(self.inner, Inner::Shape(_))
    }

    /// A text that holds such a secret, drawn by lot: `draw(n)` gives a number
    /// below `n`. It is no working credential of anybody.
    pub fn example(&self, draw: &mut dyn FnMut(usize) -> usize) -> String {
        let mut out = String::new();
        match self.inner {
            Inner::Shape(rule) => {
                if let Some((class, count)) = rule.before {
                    fill(&mut out, class, count, draw);
                }
                out.push_str(rule.heads[draw(rule.heads.len())]);
                pieces(&mut out, rule.shape, draw);
            }
            Inner::Place(place) => pieces(&mut out, place.example, draw),
        }
        out
    }

    /// A text that comes near and holds no secret of the kind: the shape cut
    /// short, or a text that only speaks of one.
    pub fn counter_example(&self, draw: &mut dyn FnMut(usize) -> usize) -> String {
        match self.inner {
            Inner::Shape(rule) => {
                let mut out = String::new();
                if let Some((class, count)) = rule.before {
                    fill(&mut out, class, count / 2, draw);
                }
                out.push_str(rule.heads[draw(rule.heads.len())]);
                match rule.shape.first() {
                    Some(&Piece::Run(class, least, _)) => fill(&mut out, class, least / 2, draw),
                    _ => out.push('x'),
                }
                out
            }
            Inner::Place(place) => place.counter.to_owned(),
        }
    }
}

fn pieces(out: &mut String, shape: &[Piece], draw: &mut dyn FnMut(usize) -> usize) {
    for piece in shape {
        match *piece {
            Piece::Is(text) => out.push_str(text),
            Piece::Run(class, least, most) => {
                let count = least + draw(most.min(least + 8) - least + 1);
                fill(out, class, count, draw);
            }
        }
    }
}

/// Letters and digits of the class; a digit is among them if it has any.
fn fill(out: &mut String, class: Class, count: usize, draw: &mut dyn FnMut(usize) -> usize) {
    let plain: Vec<u8> = class.members().into_iter().filter(u8::is_ascii_alphanumeric).collect();
    for n in 0..count {
        let from = if n % 8 == 5 { &plain[..plain.len().min(10)] } else { &plain[..] };
        out.push(char::from(from[draw(from.len())]));
    }
}
