//! Looking through disguise: a folded view of a text in which invisible
//! characters are gone and look-alikes stand as the ASCII they imitate, with
//! the way back to the bytes of the original.

use std::borrow::Cow;
use std::ops::Range;

/// Characters without a visible form of their own: zero-width, bidirectional,
/// variation selectors, tags, fillers. Controls are not among them.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a character ends a line for some reader of the text.
pub(crate) fn is_line_break(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// The ASCII character that `c` imitates: full-width forms, mathematical
/// letters and digits, and the Cyrillic and Greek letters that look the same.
fn look_alike(c: char) -> char {
    let offset = |base: u32, first: u8, count: u32| {
        let index = (c as u32 - base) % count;
        u8::try_from(index).map_or(c, |index| char::from(first + index))
    };
    match c {
        // Comma, full stop and semicolon stay: they end a value in CJK prose.
        '\u{ff0c}' | '\u{ff0e}' | '\u{ff1b}' => c,
        '\u{ff01}'..='\u{ff5e}' => offset(0xff01, b'!', 94),
        '\u{3000}' | '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' => ' ',
        '\u{2028}' | '\u{2029}' | '\u{85}' => '\n',
        '\u{1d400}'..='\u{1d6a3}' => {
            let index = (c as u32 - 0x1d400) % 52;
            u8::try_from(index)
                .map_or(c, |i| char::from(if i < 26 { b'A' + i } else { b'a' + i - 26 }))
        }
        '\u{1d7ce}'..='\u{1d7ff}' => offset(0x1d7ce, b'0', 10),
        '\u{24b6}'..='\u{24cf}' => offset(0x24b6, b'A', 26),
        '\u{24d0}'..='\u{24e9}' => offset(0x24d0, b'a', 26),
        '\u{2010}'..='\u{2013}' | '\u{2212}' | '\u{fe63}' | '\u{fe58}' => '-',
        '\u{fe55}' | '\u{2236}' | '\u{a789}' => ':',
        '\u{fe66}' => '=',
        '‘' | '’' => '\'',
        '“' | '”' => '"',
        'А' | 'Α' | 'Ꭺ' => 'A',
        'В' | 'Β' | 'Ᏼ' => 'B',
        'С' | 'Ϲ' | 'Ꮯ' => 'C',
        'Ꭰ' => 'D',
        'Е' | 'Ε' | 'Ꭼ' => 'E',
        'Ԍ' | 'Ꮐ' => 'G',
        'Н' | 'Η' | 'Ꮋ' => 'H',
        'І' | 'Ι' | 'Ӏ' => 'I',
        'Ј' | 'Ꭻ' => 'J',
        'К' | 'Κ' | 'Ꮶ' => 'K',
        'Ꮮ' => 'L',
        'М' | 'Μ' | 'Ꮇ' => 'M',
        'Ν' => 'N',
        'О' | 'Ο' | 'Օ' => 'O',
        'Р' | 'Ρ' | 'Ꮲ' => 'P',
        'Ԛ' => 'Q',
        'Ꭱ' => 'R',
        'Ѕ' | 'Ꮪ' | 'Տ' => 'S',
        'Т' | 'Τ' | 'Ꭲ' => 'T',
        'Ս' => 'U',
        'Ѵ' | 'Ꮩ' => 'V',
        'Ԝ' | 'Ꮃ' => 'W',
        'Х' | 'Χ' => 'X',
        'Ү' | 'Υ' => 'Y',
        'Ζ' | 'Ꮓ' => 'Z',
        'а' | 'α' | 'ɑ' => 'a',
        'с' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' | 'ҽ' => 'e',
        'ɡ' => 'g',
        'һ' | 'հ' => 'h',
        'і' | 'ι' | 'ı' => 'i',
        'ј' | 'ϳ' => 'j',
        'к' | 'κ' => 'k',
        'ӏ' => 'l',
        'м' => 'm',
        'п' | 'ո' => 'n',
        'о' | 'ο' | 'օ' => 'o',
        'р' | 'ρ' => 'p',
        'ԛ' => 'q',
        'г' => 'r',
        'ѕ' => 's',
        'т' | 'τ' => 't',
        'ս' | 'υ' => 'u',
        'ѵ' | 'ν' => 'v',
        'ԝ' | 'ω' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'γ' => 'y',
        'ᴢ' => 'z',
        _ => c,
    }
}

/// A text derived from another, and where each of its bytes came from.
pub(crate) struct View<'a> {
    pub(crate) text: Cow<'a, str>,
    /// From a byte here to a byte of the source, at each place where the
    /// distance between both changes. Empty: the text is the source.
    sync: Vec<(usize, usize)>,
    /// Where in the source each last byte before a sync point ended.
    ends: Vec<usize>,
    source_len: usize,
}

/// Collects a view piece by piece.
pub(crate) struct Builder {
    text: String,
    sync: Vec<(usize, usize)>,
    ends: Vec<usize>,
    next_source: usize,
}

impl Builder {
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            text: String::with_capacity(capacity),
            sync: Vec::new(),
            ends: Vec::new(),
            next_source: 0,
        }
    }

    /// Appends `c`, which stands for the bytes `source` of the original.
    pub(crate) fn push(&mut self, c: char, source: Range<usize>) {
        if self.sync.is_empty() || source.start != self.next_source {
            self.sync.push((self.text.len(), source.start));
            self.ends.push(self.next_source);
        }
        self.text.push(c);
        if c.len_utf8() == source.len() {
            self.next_source = source.end;
        } else {
            // Forces a sync point at the next character, and keeps the end.
            self.sync.push((self.text.len(), source.end));
            self.ends.push(source.end);
            self.next_source = source.end;
        }
    }

    /// Appends text that stands for itself and begins at `at` in the original.
    pub(crate) fn push_str(&mut self, text: &str, at: usize) {
        if text.is_empty() {
            return;
        }
        if self.sync.is_empty() || at != self.next_source {
            self.sync.push((self.text.len(), at));
            self.ends.push(self.next_source);
        }
        self.text.push_str(text);
        self.next_source = at + text.len();
    }

    pub(crate) fn finish(self, source_len: usize) -> View<'static> {
        View { text: Cow::Owned(self.text), sync: self.sync, ends: self.ends, source_len }
    }
}

impl<'a> View<'a> {
    pub(crate) fn identity(text: &'a str) -> Self {
        Self {
            text: Cow::Borrowed(text),
            sync: Vec::new(),
            ends: Vec::new(),
            source_len: text.len(),
        }
    }

    /// Invisible characters and controls dropped, look-alikes folded.
    pub(crate) fn fold(source: &'a str) -> Self {
        let plain = |b: u8| matches!(b, b' '..=b'~' | b'\t' | b'\n' | b'\r');
        if source.bytes().all(plain) {
            return Self::identity(source);
        }
        let mut out = Builder::new(source.len());
        for (at, c) in source.char_indices() {
            if is_invisible(c) || (c.is_control() && !c.is_whitespace()) {
                continue;
            }
            let folded = if c.is_ascii() { c } else { look_alike(c) };
            out.push(folded, at..at + c.len_utf8());
        }
        out.finish(source.len())
    }

    /// Where the byte `at` of this view lies in the source.
    pub(crate) fn start(&self, at: usize) -> usize {
        match self.sync.partition_point(|&(here, _)| here <= at) {
            0 => at.min(self.source_len),
            n => {
                let (here, there) = self.sync[n - 1];
                (there + (at - here)).min(self.source_len)
            }
        }
    }

    /// Where in the source the piece of this view that ends before `at` ends.
    pub(crate) fn end(&self, at: usize) -> usize {
        let n = self.sync.partition_point(|&(here, _)| here < at);
        if let Some((&(here, _), &end)) = self.sync.get(n).zip(self.ends.get(n))
            && here == at
        {
            return end;
        }
        match n {
            0 => at.min(self.source_len),
            n => {
                let (here, there) = self.sync[n - 1];
                (there + (at - here)).min(self.source_len)
            }
        }
    }

    /// The bytes of the source that a range of this view came from.
    pub(crate) fn span(&self, range: Range<usize>) -> Range<usize> {
        self.start(range.start)..self.end(range.end)
    }

    /// Whether something of the source was left out right before `at`.
    pub(crate) fn has_gap(&self, at: usize) -> bool {
        let n = self.sync.partition_point(|&(here, _)| here < at);
        self.sync.get(n).is_some_and(|&(here, there)| here == at && self.ends[n] != there)
    }

    /// The first place at or after `at` before which something was left out.
    pub(crate) fn next_gap(&self, at: usize) -> Option<usize> {
        let n = self.sync.partition_point(|&(here, _)| here < at);
        self.sync.get(n).map(|&(here, _)| here)
    }

    /// All places from `at` on before which something was left out.
    pub(crate) fn gaps(&self, at: usize) -> impl Iterator<Item = usize> {
        let n = self.sync.partition_point(|&(here, _)| here < at);
        self.sync[n..].iter().map(|&(here, _)| here)
    }

    #[cfg(test)]
    fn is_identity(&self) -> bool {
        self.sync.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_lead_back_to_the_source() {
        let source = "x g\u{200b}hｐ_ y";
        let view = View::fold(source);
        assert_eq!(view.text, "x ghp_ y");
        assert_eq!(&source[view.span(2..6)], "g\u{200b}hｐ_");
        assert_eq!(&source[view.span(4..5)], "ｐ");
        assert_eq!(&source[view.span(7..8)], "y");
        assert_eq!(&source[view.span(2..3)], "g");
        assert_eq!(view.end(8), source.len());
    }

    #[test]
    fn plain_text_is_its_own_view() {
        assert!(View::fold("plain\ttext\r\n").is_identity());
    }
}
