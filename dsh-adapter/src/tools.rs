//! The tools that a model may call.

mod consolidate;
mod edit;
mod expand;
mod export;
mod forget;
mod import;
mod profile;
mod recall;
mod remember;
mod search;

use std::sync::Arc;

use memory_core::{Citation, Config, ErrorCode, MemoryError};
use serde_json::Value;

use crate::approval::Answer;
use crate::arguments::{schema_of, wire_schema};
use crate::caller::Caller;
use crate::effect::Effects;
use crate::memory::MemorySlot;
use crate::unread::Unread;

/// Which tool; the set is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tool {
    Remember,
    Edit,
    Forget,
    Recall,
    Search,
    Expand,
    Profile,
    Consolidate,
    Import,
    Export,
}

impl Tool {
    pub(crate) const ALL: [Self; 10] = [
        Self::Remember,
        Self::Edit,
        Self::Forget,
        Self::Recall,
        Self::Search,
        Self::Expand,
        Self::Profile,
        Self::Consolidate,
        Self::Import,
        Self::Export,
    ];

    pub(crate) fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|tool| tool.name() == name)
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Remember => "memory_remember",
            Self::Edit => "memory_edit",
            Self::Forget => "memory_forget",
            Self::Recall => "memory_recall",
            Self::Search => "memory_search",
            Self::Expand => "memory_expand",
            Self::Profile => "memory_profile",
            Self::Consolidate => "memory_consolidate",
            Self::Import => "memory_import",
            Self::Export => "memory_export",
        }
    }

    /// Whether calls of it may overlap with other calls of the same agent.
    const fn is_read_only(self) -> bool {
        matches!(
            self,
            Self::Recall | Self::Search | Self::Expand | Self::Profile | Self::Consolidate
        )
    }

    /// Ms after which the host stops a call; `None` where a person may take
    /// their time.
    const fn time_limit(self) -> Option<u32> {
        match self {
            // The host builds its index at the first search of a large history.
            Self::Search => Some(180_000),
            Self::Expand | Self::Export => Some(30_000),
            _ => None,
        }
    }

    fn description(self, config: &Config) -> String {
        match self {
            Self::Remember => remember::description(config),
            Self::Edit => edit::DESCRIPTION.to_owned(),
            Self::Forget => forget::DESCRIPTION.to_owned(),
            Self::Recall => recall::DESCRIPTION.to_owned(),
            Self::Search => search::DESCRIPTION.to_owned(),
            Self::Expand => expand::DESCRIPTION.to_owned(),
            Self::Profile => profile::DESCRIPTION.to_owned(),
            Self::Consolidate => consolidate::DESCRIPTION.to_owned(),
            Self::Import => import::DESCRIPTION.to_owned(),
            Self::Export => export::DESCRIPTION.to_owned(),
        }
    }

    fn schema(self) -> Value {
        match self {
            Self::Remember => schema_of::<remember::Arguments>(),
            Self::Edit => schema_of::<edit::Arguments>(),
            Self::Forget => schema_of::<forget::Arguments>(),
            Self::Recall => schema_of::<recall::Arguments>(),
            Self::Search => schema_of::<search::Arguments>(),
            Self::Expand => schema_of::<expand::Arguments>(),
            Self::Profile => schema_of::<profile::Arguments>(),
            Self::Consolidate => schema_of::<consolidate::Arguments>(),
            Self::Import => schema_of::<import::Arguments>(),
            Self::Export => schema_of::<export::Arguments>(),
        }
    }
}

/// What a tool works with; one for the whole engine.
#[derive(Debug)]
pub(crate) struct Toolbox {
    pub(crate) config: Config,
    pub(crate) effects: Effects,
    pub(crate) memory: MemorySlot,
    pub(crate) unread: Unread,
    schemas: Vec<Value>,
}

/// A call as it is carried out: who, what, and where to ask.
pub(crate) struct Call<'a> {
    pub(crate) toolbox: &'a Toolbox,
    pub(crate) id: u64,
    pub(crate) tool: Tool,
    pub(crate) caller: Caller,
    pub(crate) arguments: Value,
}

impl Toolbox {
    pub(crate) fn new(config: Config, effects: Effects) -> Self {
        let memory = MemorySlot::new(effects.clone(), &config);
        let schemas = Tool::ALL.into_iter().map(Tool::schema).collect();
        Self { config, effects, memory, unread: Unread::default(), schemas }
    }

    /// What the host registers.
    pub(crate) fn manifest(&self) -> Vec<Value> {
        Tool::ALL
            .iter()
            .zip(&self.schemas)
            .map(|(tool, schema)| {
                serde_json::json!({
                    "name": tool.name(),
                    "description": tool.description(&self.config),
                    "parameters": wire_schema(schema),
                    "readOnly": tool.is_read_only(),
                    "timeoutMs": tool.time_limit(),
                })
            })
            .collect()
    }

    /// Runs a call to its end.
    pub(crate) async fn run(
        self: &Arc<Self>,
        id: u64,
        name: &str,
        arguments: Value,
        caller: Result<Caller, MemoryError>,
    ) -> Result<String, MemoryError> {
        let tool = Tool::from_name(name).ok_or_else(|| {
            MemoryError::new(ErrorCode::InvalidArgs, "there is no such memory tool")
        })?;
        let call = Call { toolbox: self, id, tool, caller: caller?, arguments };
        match tool {
            Tool::Remember => remember::run(&call).await,
            Tool::Edit => edit::run(&call).await,
            Tool::Forget => forget::run(&call).await,
            Tool::Recall => recall::run(&call).await,
            Tool::Search => search::run(&call).await,
            Tool::Expand => expand::run(&call).await,
            Tool::Profile => profile::run(&call).await,
            Tool::Consolidate => consolidate::run(&call).await,
            Tool::Import => import::run(&call).await,
            Tool::Export => export::run(&call).await,
        }
    }
}

impl Call<'_> {
    /// The arguments, checked against the tool's schema.
    pub(crate) fn arguments<T: serde::de::DeserializeOwned>(&self) -> Result<T, MemoryError> {
        let place = Tool::ALL.iter().position(|tool| *tool == self.tool).unwrap_or_default();
        crate::arguments::parse(self.tool.name(), &self.toolbox.schemas[place], &self.arguments)
    }

    /// Asks a person, unless the configuration says not to, and commits.
    pub(crate) async fn approve_and_commit(
        &self,
        memory: &crate::memory::Memory,
        plan: memory_store::Plan,
    ) -> Result<memory_store::Committed, MemoryError> {
        self.ask(&plan, None).await.granted()?;
        memory.repository.commit(plan).await
    }

    /// Asks a person, unless the configuration says not to.
    pub(crate) async fn ask(&self, plan: &memory_store::Plan, source: Option<&Citation>) -> Answer {
        if !self.toolbox.config.approval_writes {
            return Answer::Allowed;
        }
        crate::approval::ask(&self.toolbox.effects, self.id, self.tool.name(), plan, source).await
    }
}
