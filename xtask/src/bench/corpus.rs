//! Facts and queries in any number, always the same.
//!
//! A third is English, a third Chinese, a third both, with identifiers, paths
//! and versions in between. Words are as frequent as in real texts: the one of
//! rank r about 1/r times as often as the first. Queries are what somebody
//! types who half remembers a fact: one to three terms that stand next to each
//! other in it, some as a question, some with a letter missing.

use memory_core::Citation;
use memory_core::Fact;
use memory_core::FactKind;
use memory_core::UnixMillis;
use memory_core::WorkspacePath;

/// The folder that the facts belong to.
pub(super) const FOLDER: &str = "/bench";
/// When the newest fact changed.
pub(super) const NOW: UnixMillis = 1_800_000_000_000;

const QUERIES: usize = 400;
const HOUR: UnixMillis = 3_600_000;

/// Ranks of words go up to two to the power of this.
const ENGLISH_BITS: u32 = 14;
const CHINESE_BITS: u32 = 13;

/// The most frequent words; rarer ones are made of syllables.
const COMMON: &str = "build test server client config deploy cache error request queue port index \
    token user session table branch release worker schema path default retry timeout module \
    header parser docker script version database service endpoint log memory thread buffer";

const SYLLABLES: &str =
    "ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zu bri cla dro fle gra ple sto tri";

const HAN: &str = "测试部署缓存错误请求队列端口索引令牌用户会话表格分支发布进程模式路径默认重连超时模块头解析\
    镜像脚本版本数据库服务接口日志内存线程缓冲任务消息配置环境变量文件目录权限验证加密压缩备份恢复监控告警\
    集群节点网络协议地址域名证书代理负载均衡限流熔断降级灰度回滚迁移同步异步并发锁事务隔离快照";

/// What is searched, and what for.
pub(super) struct Corpus {
    pub(super) facts: Vec<Fact>,
    pub(super) queries: Vec<String>,
}

impl Corpus {
    /// `count` facts, at least one, and the queries about them.
    pub(super) fn generate(count: usize) -> Option<Self> {
        let workspace = WorkspacePath::from_raw(FOLDER)?;
        let mut writer = Writer::new();
        let mut facts = Vec::with_capacity(count);
        let mut terms = Vec::with_capacity(count);
        for n in 0..count {
            let said = writer.terms();
            let tags = (0..writer.lot.below(3)).map(|_| writer.word()).collect();
            let citation = Citation { session_id: "bench".to_owned(), seq: n as u64 };
            let at = NOW - writer.lot.below(8_000) as u64 * HOUR;
            let (id, text) = (format!("f-{n:06}"), joined(&said));
            facts.push(Fact::new(id, &workspace, FactKind::Fact, text, tags, citation, at));
            terms.push(said);
        }
        let queries = (0..QUERIES)
            .map(|_| {
                let about = writer.lot.below(terms.len());
                writer.query(&terms[about])
            })
            .collect();
        Some(Self { facts, queries })
    }

    /// Bytes of text and tags.
    pub(super) fn bytes(&self) -> usize {
        let of = |fact: &Fact| fact.text.len() + fact.tags.iter().map(String::len).sum::<usize>();
        self.facts.iter().map(of).sum()
    }
}

struct Writer {
    lot: Lot,
    common: Vec<&'static str>,
    syllables: Vec<&'static str>,
    han: Vec<char>,
}

impl Writer {
    fn new() -> Self {
        Self {
            lot: Lot(0),
            common: COMMON.split_whitespace().collect(),
            syllables: SYLLABLES.split_whitespace().collect(),
            han: HAN.chars().filter(|c| !c.is_whitespace()).collect(),
        }
    }

    /// A fact, term by term.
    fn terms(&mut self) -> Vec<String> {
        let length = 8 + self.lot.below(9);
        let script = self.lot.below(3);
        let name_at = self.lot.below(length);
        (0..length)
            .map(|at| match script {
                _ if at == name_at => self.name(),
                0 => self.word(),
                1 => self.chinese(),
                _ if self.lot.below(2) == 0 => self.word(),
                _ => self.chinese(),
            })
            .collect()
    }

    fn query(&mut self, terms: &[String]) -> String {
        let count = (1 + self.lot.below(3)).min(terms.len());
        let from = self.lot.below(terms.len() - count + 1);
        let mut query = joined(&terms[from..from + count]);
        match self.lot.below(20) {
            0..3 if is_han(&query) => query.push_str("在哪里？"),
            0..3 => query = format!("where is the {query}?"),
            3 => {
                let at = self.lot.below(query.chars().count());
                query =
                    query.chars().enumerate().filter(|(n, _)| *n != at).map(|(_, c)| c).collect();
            }
            _ => {}
        }
        query
    }

    fn word(&mut self) -> String {
        let rank = self.lot.rank(ENGLISH_BITS);
        if let Some(&word) = self.common.get(rank) {
            return word.to_owned();
        }
        // Always the same word for a rank.
        let mut lot = Lot(rank as u64);
        let count = 2 + lot.below(3);
        (0..count).map(|_| self.syllables[lot.below(self.syllables.len())]).collect()
    }

    fn chinese(&mut self) -> String {
        let mut lot = Lot(self.lot.rank(CHINESE_BITS) as u64);
        let count = 2 + usize::from(lot.below(4) == 0);
        (0..count).map(|_| self.han[lot.below(self.han.len())]).collect()
    }

    /// An identifier, a path or a version.
    fn name(&mut self) -> String {
        let (first, second) = (self.word(), self.word());
        match self.lot.below(6) {
            0 => format!("{first}_{second}"),
            1 => format!("{first}-{second}"),
            2 => format!("src/{first}/{second}.rs"),
            3 => {
                let [major, minor, patch] = [9, 40, 20].map(|most| self.lot.below(most));
                format!("v{major}.{minor}.{patch}")
            }
            _ => {
                let (head, tail) = second.split_at(1);
                format!("{first}{}{tail}", head.to_uppercase())
            }
        }
    }
}

fn is_han(text: &str) -> bool {
    text.chars().next_back().is_some_and(|c| !c.is_ascii())
}

/// Chinese words follow each other without blanks.
fn joined(terms: &[String]) -> String {
    let mut out = String::new();
    for term in terms {
        let touching = out.is_empty() || (is_han(&out) && is_han(term));
        if !touching {
            out.push(' ');
        }
        out.push_str(term);
    }
    out
}

/// A small generator with a fixed seed (`SplitMix64`).
struct Lot(u64);

impl Lot {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, most: usize) -> usize {
        // The remainder is smaller than a usize.
        usize::try_from(self.next() % most.max(1) as u64).unwrap_or(0)
    }

    /// A rank below two to the power of `bits`, each power as likely as the next.
    fn rank(&mut self, bits: u32) -> usize {
        let power = 1 << self.below(bits as usize);
        power - 1 + self.below(power)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_number_gives_the_same_facts_and_queries() {
        let [a, b] = [300, 300].map(|count| Corpus::generate(count).unwrap());
        assert_eq!(a.facts, b.facts);
        assert_eq!(a.queries, b.queries);
        assert!(a.facts.iter().all(|fact| fact.validate().is_ok()));
        let han = a.queries.iter().filter(|query| !query.is_ascii()).count();
        assert!((a.queries.len() / 4..a.queries.len() * 3 / 4).contains(&han), "{han}");
    }

    #[test]
    fn most_queries_find_something() {
        let corpus = Corpus::generate(300).unwrap();
        let mut index = memory_recall::Index::new();
        corpus.facts.iter().for_each(|fact| index.upsert(fact));
        let options = memory_recall::RecallOptions { now: NOW, ..Default::default() };
        let found = |query: &&String| !index.recall(Some(query), &options).hits.is_empty();
        assert!(corpus.queries.iter().filter(found).count() * 10 > corpus.queries.len() * 9);
    }
}
