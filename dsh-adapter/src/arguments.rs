//! Reading tool arguments, and saying what is wrong with them.
//!
//! What a model is shown and what is enforced come from one schema, derived
//! from the argument type. Messages name the argument and what it must be,
//! never its value: a value may be a secret.

use memory_core::{ErrorCode, MemoryError, code_points, truncate};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// The full schema of an argument type: inlined, with bounds.
pub(crate) fn schema_of<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft07().with(|settings| settings.inline_subschemas = true);
    let schema: Schema = settings.into_generator().into_root_schema_for::<T>();
    let mut schema = schema.to_value();
    simplify(&mut schema);
    if let Value::Object(map) = &mut schema {
        map.entry("properties").or_insert_with(|| Value::Object(Map::new()));
    }
    schema
}

/// The schema as a model sees it: what the host's own subset of JSON Schema
/// knows. Bounds are enforced all the same; descriptions state them in words.
pub(crate) fn wire_schema(schema: &Value) -> Value {
    match schema {
        Value::Object(map) => Value::Object(
            map.iter()
                .filter(|(key, _)| {
                    matches!(
                        key.as_str(),
                        "type" | "properties" | "required" | "items" | "enum" | "description"
                    )
                })
                .map(|(key, value)| match value {
                    // Its keys are argument names, not keywords.
                    Value::Object(properties) if key == "properties" => {
                        let inner = properties.iter().map(|(k, v)| (k.clone(), wire_schema(v)));
                        (key.clone(), Value::Object(inner.collect()))
                    }
                    value => (key.clone(), wire_schema(value)),
                })
                .collect(),
        ),
        other => other.clone(),
    }
}

/// Rewrites what schemars says in several ways into the one that is checked
/// and shown: an optional argument may be left out, so that it may also be null
/// needs no word; a choice of constants is an enumeration.
fn simplify(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            if let Some(Value::Array(types)) = map.get_mut("type") {
                types.retain(|t| t != "null");
                if let [only] = types.as_slice() {
                    let only = only.clone();
                    map.insert("type".to_owned(), only);
                }
            }
            // `Option<Enum>` is `anyOf: [the enumeration, null]`.
            if let Some(Value::Array(options)) = map.get("anyOf") {
                let mut real = options.iter().filter(|o| o["type"] != "null");
                if let (Some(Value::Object(one)), None) = (real.next().cloned(), real.next()) {
                    map.remove("anyOf");
                    for (key, value) in one {
                        map.entry(key).or_insert(value);
                    }
                }
            }
            // An enumeration whose variants are documented is `oneOf: [const, …]`.
            if let Some(Value::Array(options)) = map.get("oneOf") {
                let constants = options.iter().map(|o| o.get("const").cloned());
                if let Some(constants) = constants.collect::<Option<Vec<_>>>() {
                    map.remove("oneOf");
                    map.insert("type".to_owned(), "string".into());
                    map.insert("enum".to_owned(), Value::Array(constants));
                }
            }
            if let Some(Value::Array(values)) = map.get_mut("enum") {
                values.retain(|v| !v.is_null());
            }
            map.values_mut().for_each(simplify);
        }
        Value::Array(items) => items.iter_mut().for_each(simplify),
        _ => {}
    }
}

/// Reads the arguments of a tool.
///
/// # Errors
/// `MEMORY_INVALID_ARGS` naming every argument that is unknown, missing or of
/// the wrong form.
pub(crate) fn parse<T: DeserializeOwned>(
    tool: &str,
    schema: &Value,
    arguments: &Value,
) -> Result<T, MemoryError> {
    let given = match arguments {
        Value::Null => Map::new(),
        Value::Object(map) => map.iter().filter(|(_, v)| !v.is_null()).map(own).collect(),
        _ => return Err(invalid(tool, "the arguments must be an object")),
    };
    let none = Map::new();
    let known = schema["properties"].as_object().unwrap_or(&none);
    let mut problems = Vec::new();
    for name in given.keys().filter(|name| !known.contains_key(*name)) {
        problems.push(unknown(name, known));
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !given.contains_key(name) {
            problems.push(format!("`{name}` is missing"));
        }
    }
    for (name, value) in &given {
        if let Some(schema) = known.get(name) {
            check(name, schema, value, &mut problems);
        }
    }
    if !problems.is_empty() {
        return Err(invalid(tool, &problems.join("; ")));
    }
    // serde's own message may quote a value; everything it can find is found above.
    serde_json::from_value(Value::Object(given))
        .map_err(|_| invalid(tool, "the arguments do not have the form of the tool's schema"))
}

fn own((key, value): (&String, &Value)) -> (String, Value) {
    (key.clone(), value.clone())
}

fn invalid(tool: &str, what: &str) -> MemoryError {
    MemoryError::new(ErrorCode::InvalidArgs, format!("{tool}: {what}"))
        .advise("correct the arguments and call again")
}

fn unknown(name: &str, known: &Map<String, Value>) -> String {
    let shown = memory_guard::reveal(&truncate(&memory_guard::mask(name), 40));
    let nearest = known.keys().map(|k| (strsim::damerau_levenshtein(k, name), k)).min();
    match nearest {
        Some((distance, near)) if distance * 2 <= code_points(near) => {
            format!("`{shown}` is unknown, did you mean `{near}`?")
        }
        _ => {
            let names: Vec<_> = known.keys().map(|k| format!("`{k}`")).collect();
            let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
            format!("`{shown}` is unknown, known are: {names}")
        }
    }
}

fn check(name: &str, schema: &Value, value: &Value, problems: &mut Vec<String>) {
    if let Some(allowed) = schema["enum"].as_array() {
        if !allowed.contains(value) {
            let allowed: Vec<_> = allowed.iter().filter_map(Value::as_str).collect();
            problems.push(format!("`{name}` must be one of {}", allowed.join(", ")));
        }
        return;
    }
    match schema["type"].as_str() {
        Some("string") => match value.as_str() {
            None => problems.push(format!("`{name}` must be a text")),
            Some(text)
                if (code_points(text) as u64) < schema["minLength"].as_u64().unwrap_or(0) =>
            {
                problems.push(format!("`{name}` is empty"));
            }
            Some(_) => {}
        },
        Some("integer") => {
            let min = schema["minimum"].as_u64().unwrap_or(0);
            let max = schema["maximum"].as_u64();
            let in_bounds = |n: u64| n >= min && max.is_none_or(|max| n <= max);
            if !value.as_u64().is_some_and(in_bounds) {
                problems.push(match max {
                    Some(max) => format!("`{name}` must be a whole number from {min} to {max}"),
                    None => format!("`{name}` must be a whole number of at least {min}"),
                });
            }
        }
        Some("array") => match value.as_array() {
            None => problems.push(format!("`{name}` must be a list")),
            Some(items) => {
                for (i, item) in items.iter().enumerate() {
                    check(&format!("{name}[{i}]"), &schema["items"], item, problems);
                }
            }
        },
        _ => {}
    }
}
