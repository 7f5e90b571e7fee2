//! The index of one workspace: postings by token, kept equal to the facts.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

use memchr::memmem;
use memory_core::{Fact, UnixMillis};

use crate::fold::fold;
use crate::query::{Query, QueryWord, Slot, bare};
use crate::rank::{Hit, Rank, Recall, RecallOptions, Tier, rarity, signal};
use crate::tokens::{stem, words};

/// What a stem counts beside the word itself, in percent.
const STEM_WEIGHT: u32 = 85;
/// What a word inside another counts.
const INNER_WEIGHT: u32 = 40;
/// What a word counts that is one letter wrong.
const REPAIRED_WEIGHT: u32 = 60;
/// What a tag counts that is the word, beside the text.
const TAG_WEIGHT: u32 = 60;
/// What a tag counts that shares a word, or is one letter away.
const FUZZY_WEIGHT: u32 = 40;
/// What the query as a phrase adds to the score, in percent.
const PHRASE_BOOST: u32 = 50;

/// Shortest word that is looked for inside others, in characters: `ci` is not
/// in "decision", to a person.
const SHORTEST_INNER: usize = 3;
/// Shortest word that is taken for misspelt, in characters.
const SHORTEST_REPAIRED: usize = 4;

/// Where a token stands in a fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Field {
    /// A word of the text, whole or part, or a CJK bigram or character.
    Text,
    /// The stem of one.
    Stem,
    /// A whole tag, letters and digits alone.
    Tag,
    /// A word of a tag.
    TagPart,
}

type TokenId = u32;
type Slab = u32;

#[derive(Clone, Debug)]
struct Doc {
    id: Box<str>,
    updated_at: UnixMillis,
    accesses: u64,
    /// Folded text on one line, for phrases.
    text: Box<str>,
    /// Folded, trimmed, non-empty tags as they are shown.
    tags: Box<[Box<str>]>,
    tokens: Box<[TokenId]>,
}

/// The facts of one workspace, ready to be found.
///
/// Feed it every active fact; see [`crate`] for how it answers. Updating costs
/// in proportion to the fact, answering to the facts that are hit and to the
/// number of distinct words.
#[derive(Clone, Debug, Default)]
pub struct Index {
    docs: Vec<Option<Doc>>,
    by_id: HashMap<Box<str>, Slab>,
    free: Vec<Slab>,
    newest: BTreeSet<(Reverse<UnixMillis>, Box<str>)>,
    token_ids: HashMap<(Field, Box<str>), TokenId>,
    /// For each token the facts that hold it, sorted.
    postings: Vec<Vec<Slab>>,
    /// Every text token between line feeds, to look for a word inside them.
    vocabulary: String,
    /// Where each of them starts.
    vocabulary_starts: Vec<(u32, TokenId)>,
    /// Every whole tag, letters and digits alone.
    tags: Vec<(Box<str>, TokenId)>,
}

impl Index {
    /// An index without facts.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many facts it holds.
    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.by_id.is_empty()
    }

    /// Adds a fact, or takes in that it changed. Its state is not looked at.
    pub fn upsert(&mut self, fact: &Fact) {
        self.remove(&fact.id);
        let slab = self.free.pop().unwrap_or_else(|| {
            self.docs.push(None);
            slab_of(self.docs.len() - 1)
        });
        let mut tokens = BTreeSet::new();
        for token in text_tokens(&fact.text) {
            tokens.insert(self.token(Field::Stem, &stem(&token)));
            tokens.insert(self.token(Field::Text, &token));
        }
        let mut tags = Vec::new();
        for tag in &fact.tags {
            let folded = fold(tag.trim());
            let bare = bare(&folded);
            if bare.is_empty() {
                continue;
            }
            tokens.insert(self.token(Field::Tag, &bare));
            for token in text_tokens(tag) {
                tokens.insert(self.token(Field::TagPart, &stem(&token)));
            }
            tags.push(folded.into_boxed_str());
        }
        let tokens: Box<[TokenId]> = tokens.into_iter().collect();
        for &token in &tokens {
            let posting = &mut self.postings[token as usize];
            if let Err(at) = posting.binary_search(&slab) {
                posting.insert(at, slab);
            }
        }
        let id: Box<str> = fact.id.as_str().into();
        self.newest.insert((Reverse(fact.updated_at), id.clone()));
        self.by_id.insert(id.clone(), slab);
        self.docs[slab as usize] = Some(Doc {
            id,
            updated_at: fact.updated_at,
            accesses: fact.access_count.unwrap_or(0),
            text: memory_core::fold_spaces(&fold(&fact.text)).into(),
            tags: tags.into(),
            tokens,
        });
    }

    /// Takes a fact out, if it is there.
    pub fn remove(&mut self, id: &str) {
        let Some(slab) = self.by_id.remove(id) else { return };
        let Some(doc) = self.docs[slab as usize].take() else { return };
        for &token in &doc.tokens {
            let posting = &mut self.postings[token as usize];
            if let Ok(at) = posting.binary_search(&slab) {
                posting.remove(at);
            }
        }
        self.newest.remove(&(Reverse(doc.updated_at), doc.id));
        self.free.push(slab);
    }

    /// Takes in a fact's access counter.
    pub fn touch(&mut self, id: &str, access_count: u64) {
        if let Some(&slab) = self.by_id.get(id)
            && let Some(doc) = &mut self.docs[slab as usize]
        {
            doc.accesses = access_count;
        }
    }

    /// Answers a query. Without one, or with one that holds no word: the facts
    /// that changed last.
    pub fn recall(&self, query: Option<&str>, options: &RecallOptions) -> Recall {
        let Some(query) = query.and_then(Query::parse) else {
            let newest = self.newest.iter().take(options.limit);
            let listed =
                |id: &str| Hit { id: id.to_owned(), tier: None, score: 0, matched: vec![] };
            return Recall {
                hits: newest.map(|(_, id)| listed(id)).collect(),
                ..Recall::default()
            };
        };
        let mut found: BTreeMap<Slab, Found> = BTreeMap::new();
        for (place, word) in query.words.iter().enumerate() {
            self.find_word(place, word, &mut found);
        }
        let joined = self.posting(Field::Tag, &query.joined);
        for &slab in joined {
            found.entry(slab).or_default().joined_tag = true;
        }
        self.ranked(&query, &found, options)
    }

    fn ranked(
        &self,
        query: &Query,
        found: &BTreeMap<Slab, Found>,
        options: &RecallOptions,
    ) -> Recall {
        let all_words = u64::MAX >> (64 - query.words.len().clamp(1, 64));
        let mut hits: Vec<(Rank<'_>, &Found)> = found
            .iter()
            .filter_map(|(&slab, found)| {
                let doc = self.docs[slab as usize].as_ref()?;
                let tier = if found.joined_tag || found.tagged == all_words {
                    Tier::Tag
                } else if found.text != 0 || found.tagged != 0 {
                    Tier::Text
                } else {
                    Tier::Fuzzy
                };
                let words = query.words.len() as u64;
                let held = u64::from((found.text | found.tagged).count_ones());
                // A fact that holds all words comes before one that holds a rare one twice.
                let mut score = u64::from(found.score) * (words + held) / (2 * words);
                if query.phrase.as_ref().is_some_and(|phrase| doc.text.contains(phrase.as_str())) {
                    score += score * u64::from(PHRASE_BOOST) / 100;
                }
                let score = u32::try_from(score).unwrap_or(u32::MAX);
                let signal = signal(doc.updated_at, doc.accesses, options);
                let rank =
                    (tier, Reverse(score), Reverse(signal), Reverse(doc.updated_at), &*doc.id);
                Some((rank, found))
            })
            .collect();
        if options.limit < hits.len() && options.limit > 0 {
            hits.select_nth_unstable_by(options.limit - 1, |a, b| a.0.cmp(&b.0));
        }
        hits.truncate(options.limit);
        hits.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        let closest_tags = if hits.is_empty() { self.closest_tags(query) } else { Vec::new() };
        let hits = hits
            .into_iter()
            .map(|((tier, Reverse(score), _, _, id), found)| {
                let matched = found.text | found.tagged | found.fuzzy;
                let held = |place: usize| found.joined_tag || matched >> place & 1 == 1;
                let words = query.words.iter().enumerate();
                let matched = words.filter(|(place, _)| held(*place));
                Hit {
                    id: id.to_owned(),
                    tier: Some(tier),
                    score,
                    matched: matched.map(|(_, word)| word.whole.clone()).collect(),
                }
            })
            .collect();
        Recall { hits, closest_tags }
    }

    fn find_word(&self, place: usize, word: &QueryWord, found: &mut BTreeMap<Slab, Found>) {
        let mut nothing = true;
        for slot in &word.slots {
            let mut scores = self.find_slot(slot);
            if scores.is_empty() && !word.cjk {
                scores = self.repaired(slot);
            }
            nothing &= scores.is_empty();
            for (slab, score) in scores {
                let found = found.entry(slab).or_default();
                found.text |= 1 << place;
                found.score = found.score.saturating_add(score);
            }
        }
        // Tags that are the word.
        let posting = self.posting(Field::Tag, &bare(&word.whole));
        let score = self.weigh(posting, TAG_WEIGHT);
        for &slab in posting {
            let found = found.entry(slab).or_default();
            found.tagged |= 1 << place;
            found.score = found.score.saturating_add(score);
        }
        // A CJK run may hold several words; a tag that is one of them counts
        // like text, since it does not cover the run.
        for slot in word.slots.iter().filter(|slot| word.cjk && slot.token != word.whole) {
            let posting = self.posting(Field::Tag, &slot.token);
            let score = self.weigh(posting, TAG_WEIGHT);
            for &slab in posting {
                let found = found.entry(slab).or_default();
                found.text |= 1 << place;
                found.score = found.score.saturating_add(score);
            }
        }
        let mut similar = self.sharing_tags(word);
        if nothing && !word.cjk {
            similar.extend(self.misspelt_tags(&word.whole));
        }
        for posting in similar {
            let score = self.weigh(posting, FUZZY_WEIGHT);
            for &slab in posting {
                let found = found.entry(slab).or_default();
                if found.fuzzy >> place & 1 == 0 {
                    found.fuzzy |= 1 << place;
                    found.score = found.score.saturating_add(score);
                }
            }
        }
    }

    /// For each fact that holds the token the best of: the word, its stem, a
    /// word that it is inside of.
    fn find_slot(&self, slot: &Slot) -> BTreeMap<Slab, u32> {
        let mut scores = BTreeMap::new();
        let mut take = |posting: &[Slab], weight: u32| {
            let score = self.weigh(posting, slot.weight * weight / 100);
            for &slab in posting {
                let best = scores.entry(slab).or_insert(0);
                *best = score.max(*best);
            }
        };
        take(self.posting(Field::Text, &slot.token), 100);
        let stem = slot.stem.as_ref().unwrap_or(&slot.token);
        take(self.posting(Field::Stem, stem), STEM_WEIGHT);
        if slot.token.chars().nth(SHORTEST_INNER - 1).is_some() {
            let mut inner = BTreeSet::new();
            for token in self.tokens_holding(&slot.token) {
                inner.extend(&self.postings[token as usize]);
            }
            let inner: Vec<Slab> = inner.into_iter().collect();
            take(&inner, INNER_WEIGHT);
        }
        scores
    }

    /// Facts that hold a word one letter away.
    fn repaired(&self, slot: &Slot) -> BTreeMap<Slab, u32> {
        let mut scores = BTreeMap::new();
        if slot.token.chars().nth(SHORTEST_REPAIRED - 1).is_none() {
            return scores;
        }
        for &(_, token) in &self.vocabulary_starts {
            let posting = &self.postings[token as usize];
            let word = self.vocabulary_word(token);
            if !posting.is_empty() && one_letter_apart(word, &slot.token) {
                let score = self.weigh(posting, slot.weight * REPAIRED_WEIGHT / 100);
                for &slab in posting {
                    let best = scores.entry(slab).or_insert(0);
                    *best = score.max(*best);
                }
            }
        }
        scores
    }

    /// Facts of which a tag shares a word with this one.
    fn sharing_tags(&self, word: &QueryWord) -> Vec<&[Slab]> {
        let stems = word.slots.iter().map(|slot| slot.stem.as_ref().unwrap_or(&slot.token));
        stems.map(|stem| self.posting(Field::TagPart, stem)).collect()
    }

    /// Facts of which a tag is one letter away.
    fn misspelt_tags(&self, word: &str) -> Vec<&[Slab]> {
        let word = bare(word);
        if word.chars().nth(SHORTEST_REPAIRED - 1).is_none() {
            return Vec::new();
        }
        let close = self.tags.iter().filter(|(tag, _)| one_letter_apart(tag, &word));
        close.map(|&(_, token)| &*self.postings[token as usize]).collect()
    }

    fn closest_tags(&self, query: &Query) -> Vec<String> {
        // Nobody mistypes more; and the distance costs the product of the lengths.
        const LONGEST: usize = 64;
        let tags = self.docs.iter().flatten().flat_map(|doc| &doc.tags).map(|tag| &**tag);
        let tags: BTreeSet<&str> = tags.filter(|tag| tag.len() <= LONGEST).collect();
        let mut close: Vec<(usize, &str)> = tags
            .into_iter()
            .filter_map(|tag| {
                let short = query.words.iter().filter(|word| word.whole.len() <= LONGEST).take(8);
                let distance = short.map(|word| strsim::osa_distance(&word.whole, tag)).min()?;
                // Half of its letters may be wrong; beyond that it is no help.
                (distance * 2 <= tag.chars().count()).then_some((distance, tag))
            })
            .collect();
        close.sort_unstable();
        close.into_iter().take(3).map(|(_, tag)| tag.to_owned()).collect()
    }

    fn weigh(&self, posting: &[Slab], percent: u32) -> u32 {
        rarity(posting.len(), self.len()) * percent
    }

    fn posting(&self, field: Field, token: &str) -> &[Slab] {
        // The key owns its string; a lookup of a borrowed one needs this copy.
        let id = self.token_ids.get(&(field, Box::from(token)));
        id.map_or(&[], |&id| &self.postings[id as usize])
    }

    fn token(&mut self, field: Field, token: &str) -> TokenId {
        if let Some(&id) = self.token_ids.get(&(field, Box::from(token))) {
            return id;
        }
        let id = slab_of(self.postings.len());
        self.postings.push(Vec::new());
        self.token_ids.insert((field, token.into()), id);
        if field == Field::Text {
            self.vocabulary_starts.push((slab_of(self.vocabulary.len()), id));
            self.vocabulary.push_str(token);
            self.vocabulary.push('\n');
        } else if field == Field::Tag {
            self.tags.push((token.into(), id));
        }
        id
    }

    /// Text tokens that hold the word, itself among them.
    fn tokens_holding(&self, word: &str) -> Vec<TokenId> {
        let mut tokens: Vec<TokenId> = memmem::find_iter(self.vocabulary.as_bytes(), word)
            .map(|at| {
                let starts = &self.vocabulary_starts;
                starts[starts.partition_point(|&(start, _)| start as usize <= at) - 1].1
            })
            .collect();
        tokens.dedup();
        tokens
    }

    fn vocabulary_word(&self, token: TokenId) -> &str {
        let starts = &self.vocabulary_starts;
        let Ok(at) = starts.binary_search_by_key(&token, |&(_, id)| id) else { return "" };
        let end = starts.get(at + 1).map_or(self.vocabulary.len(), |&(start, _)| start as usize);
        &self.vocabulary[starts[at].0 as usize..end - 1]
    }
}

/// Whether one letter is missing, added, wrong or swapped with its neighbour.
fn one_letter_apart(a: &str, b: &str) -> bool {
    // A letter has at most four bytes; most pairs are settled here. The
    // distance costs in proportion to the product of the lengths.
    const LONGEST: usize = 64;
    a.len().abs_diff(b.len()) <= 4 && b.len() <= LONGEST && strsim::osa_distance(a, b) == 1
}

/// Slab numbers and offsets fit: a workspace holds at most 10,000 facts of
/// bounded length.
fn slab_of(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// What a query found in a fact. One bit for each word of the query.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    text: u64,
    tagged: u64,
    fuzzy: u64,
    joined_tag: bool,
    score: u32,
}

/// Every token of a text; CJK characters also alone, for queries of one.
fn text_tokens(text: &str) -> BTreeSet<String> {
    let mut tokens = BTreeSet::new();
    for word in words(text) {
        if word.cjk {
            tokens.extend(word.whole.chars().map(String::from));
            if word.parts.is_empty() {
                tokens.insert(word.whole);
            }
        } else {
            tokens.insert(word.whole);
        }
        tokens.extend(word.parts);
    }
    tokens
}

/// Answers a query over facts without keeping an index.
pub fn scan<'a>(
    facts: impl IntoIterator<Item = &'a Fact>,
    query: Option<&str>,
    options: &RecallOptions,
) -> Recall {
    let mut index = Index::new();
    for fact in facts {
        index.upsert(fact);
    }
    index.recall(query, options)
}
