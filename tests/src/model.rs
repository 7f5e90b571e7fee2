//! A model that follows a script, behind the host's chat-completions protocol.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;

use anyhow::Result;
use axum::Json;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::response::Response;
use axum::routing::post;
use serde_json::Value;
use serde_json::json;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// What the model does when it is asked to go on.
pub enum Step {
    /// Calls tools, all in one message: name and arguments.
    Tools(Vec<(String, Value)>),
    /// Says something, which ends its turn.
    Text(String),
    /// Answers with an HTTP error.
    Fail(u16),
    /// Decides once it has seen the request, for example to use an id from an
    /// earlier tool result.
    Decide(Box<dyn FnOnce(&Request) -> Step + Send>),
}

impl Step {
    /// Calls one tool.
    pub fn tool(name: impl Into<String>, arguments: Value) -> Self {
        Self::Tools(vec![(name.into(), arguments)])
    }

    /// Says something.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// Decides once it has seen the request.
    pub fn decide(decide: impl FnOnce(&Request) -> Self + Send + 'static) -> Self {
        Self::Decide(Box::new(decide))
    }
}

/// A tool's answer as the model sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToolResult {
    /// The call that it answers.
    pub call_id: String,
    /// The tool that was called.
    pub tool: String,
    /// Its text.
    pub text: String,
}

/// One request of the host to the model.
#[derive(Clone, Debug)]
pub struct Request {
    /// The body as it came.
    pub body: Value,
}

impl Request {
    /// Text of the system prompt.
    pub fn system(&self) -> String {
        self.texts("system").join("\n")
    }

    /// Texts of the messages of a role.
    pub fn texts(&self, role: &str) -> Vec<String> {
        self.messages().filter(|message| message["role"] == role).map(text_of).collect()
    }

    /// Names of the tools on offer.
    pub fn tool_names(&self) -> Vec<&str> {
        self.tools().filter_map(|tool| tool["name"].as_str()).collect()
    }

    /// Declaration of a tool: `name`, `description`, `parameters`.
    pub fn tool(&self, name: &str) -> Option<&Value> {
        self.tools().find(|tool| tool["name"] == name)
    }

    /// Every tool result so far, oldest first.
    pub fn tool_results(&self) -> Vec<ToolResult> {
        let calls: Vec<_> = self
            .messages()
            .flat_map(|message| message["tool_calls"].as_array().into_iter().flatten())
            .collect();
        self.messages()
            .filter(|message| message["role"] == "tool")
            .map(|message| {
                let call_id = message["tool_call_id"].as_str().unwrap_or_default();
                let call = calls.iter().find(|call| call["id"] == call_id);
                let tool = call.and_then(|call| call["function"]["name"].as_str());
                ToolResult {
                    call_id: call_id.to_owned(),
                    tool: tool.unwrap_or_default().to_owned(),
                    text: text_of(message),
                }
            })
            .collect()
    }

    /// Text of the newest tool result; empty when there is none.
    pub fn last_result(&self) -> String {
        self.tool_results().pop().map(|result| result.text).unwrap_or_default()
    }

    /// Whether this is a request beside the conversation, such as the one for
    /// the session's title: it offers no tools.
    pub fn is_aside(&self) -> bool {
        self.tools().next().is_none()
    }

    fn messages(&self) -> impl Iterator<Item = &Value> {
        self.body["messages"].as_array().into_iter().flatten()
    }

    fn tools(&self) -> impl Iterator<Item = &Value> {
        self.body["tools"].as_array().into_iter().flatten().map(|tool| &tool["function"])
    }
}

fn text_of(message: &Value) -> String {
    match &message["content"] {
        Value::Array(parts) => parts.iter().filter_map(|part| part["text"].as_str()).collect(),
        content => content.as_str().unwrap_or_default().to_owned(),
    }
}

/// A running model. It stops when it is dropped.
pub struct ScriptedModel {
    address: SocketAddr,
    shared: Arc<Mutex<Shared>>,
    server: JoinHandle<()>,
}

struct Shared {
    scripts: Vec<Script>,
    aside: String,
    requests: Vec<Request>,
    calls: u32,
}

struct Script {
    /// Belongs to the conversation in which the user says this.
    task: String,
    steps: VecDeque<Step>,
}

impl ScriptedModel {
    /// Starts a model with one script for every conversation. At its end the
    /// model says "done".
    pub async fn start(steps: impl IntoIterator<Item = Step>) -> Result<Self> {
        let shared = Arc::new(Mutex::new(Shared {
            scripts: vec![Script { task: String::new(), steps: steps.into_iter().collect() }],
            aside: "A scripted session".to_owned(),
            requests: Vec::new(),
            calls: 0,
        }));
        let app = Router::new()
            .route("/v1/chat/completions", post(complete))
            .with_state(Arc::clone(&shared));
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let server = tokio::spawn(async move {
            // Ends with the task.
            let _ = axum::serve(listener, app).await;
        });
        Ok(Self { address, shared, server })
    }

    /// Adds a script for the conversation in which the user says `task`.
    pub fn script(&self, task: impl Into<String>, steps: impl IntoIterator<Item = Step>) {
        let script = Script { task: task.into(), steps: steps.into_iter().collect() };
        self.lock().scripts.insert(0, script);
    }

    /// What requests without tools (session title, compaction summary) get.
    pub fn say_aside(&self, text: impl Into<String>) {
        self.lock().aside = text.into();
    }

    /// The base URL for the host.
    pub fn url(&self) -> String {
        format!("http://{}/v1", self.address)
    }

    /// Every request so far, oldest first.
    pub fn all_requests(&self) -> Vec<Request> {
        self.lock().requests.clone()
    }

    /// The requests of conversations so far: those that offer tools.
    pub fn requests(&self) -> Vec<Request> {
        let mut requests = self.all_requests();
        requests.retain(|request| !request.is_aside());
        requests
    }

    /// Every tool result that the model has seen in its newest request.
    pub fn tool_results(&self) -> Vec<ToolResult> {
        self.requests().last().map(Request::tool_results).unwrap_or_default()
    }

    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for ScriptedModel {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn complete(State(shared): State<Arc<Mutex<Shared>>>, Json(body): Json<Value>) -> Response {
    let request = Request { body };
    let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
    let mut step = shared.next_step(&request);
    while let Step::Decide(decide) = step {
        step = decide(&request);
    }
    let answer = match step {
        Step::Fail(status) => StatusCode::from_u16(status)
            .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
            .into_response(),
        Step::Tools(calls) => shared.call_tools(&calls),
        Step::Text(text) => stream(&json!({ "role": "assistant", "content": text }), "stop"),
        Step::Decide(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    };
    shared.requests.push(request);
    answer
}

impl Shared {
    fn next_step(&mut self, request: &Request) -> Step {
        if request.is_aside() {
            return Step::Text(self.aside.clone());
        }
        let said = request.texts("user");
        self.scripts
            .iter_mut()
            .find(|script| said.iter().any(|text| text.contains(&script.task)))
            .and_then(|script| script.steps.pop_front())
            .unwrap_or_else(|| Step::text("done"))
    }

    fn call_tools(&mut self, calls: &[(String, Value)]) -> Response {
        let calls: Vec<_> = calls
            .iter()
            .enumerate()
            .map(|(index, (name, arguments))| {
                self.calls += 1;
                json!({
                    "index": index,
                    "id": format!("call_{}", self.calls),
                    "type": "function",
                    "function": { "name": name, "arguments": arguments.to_string() },
                })
            })
            .collect();
        stream(&json!({ "role": "assistant", "tool_calls": calls }), "tool_calls")
    }
}

/// The events of one answer: what is said, why it ends, what it cost.
fn stream(delta: &Value, finish_reason: &str) -> Response {
    let chunk = |delta: &Value, finish_reason: Option<&str>| {
        json!({
            "id": "scripted",
            "object": "chat.completion.chunk",
            "created": 0,
            "model": "scripted",
            "choices": [{ "index": 0, "delta": delta, "finish_reason": finish_reason }],
        })
    };
    let mut last = chunk(&json!({}), Some(finish_reason));
    last["usage"] = json!({ "prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110 });
    let body = format!("data: {}\n\ndata: {last}\n\ndata: [DONE]\n\n", chunk(delta, None));
    ([(CONTENT_TYPE, "text/event-stream")], body).into_response()
}
