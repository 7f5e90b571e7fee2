//! What must be found, what must not, and what is left after masking.

mod common;

use common::{ALNUM, BASE64, HEX, Lot};
use memory_guard::{detect, kinds, mask};

/// Nothing of any `secret` survives, and the text around stays.
#[track_caller]
fn check_masked(template: &str, secret: &str) {
    let text = template.replace("@@", secret);
    let expected = template.replace("@@", "[REDACTED]");
    assert_eq!(mask(&text), expected, "in {text:?}: {:?}", detect(&text));
}

#[track_caller]
fn check_quiet(text: &str) {
    assert_eq!(detect(text), [], "in {text:?}");
    assert_eq!(mask(text), text);
}

#[test]
fn prose_and_code_stay_quiet() {
    for text in [
        "",
        "we indent with tabs, not spaces",
        "token: short",
        "api key is in the vault",
        "the pnpm store is at ~/.local/share/pnpm/store",
        "password manager recommended",
        "ghp_short",
        "use sk-learn-compatible-estimators-api everywhere",
        "token: src/auth/session/token.ts",
        "The client reads token: process.env.RELEASE_BOT_TOKEN and falls back to token=${CI_JOB_TOKEN}",
        "Payments reads its secret: kv/team-a/payments/stripe from Vault",
        "Public routes skip the Bearer authentication-middleware; set token: sliding-window-limiter in gateway.yml",
        "Cost sheet: input_cost_per_token: 1.4e-06; the old password=[REDACTED] line was removed",
        "password: string; // required",
        "const password: string = form.password;",
        "let password = user.password.trim();",
        "password=$DB_PASSWORD",
        "password: ${{ secrets.DB_PASSWORD }}",
        "API_KEY=<your-api-key>",
        "API_KEY=YOUR_API_KEY_HERE",
        "api_key: xxxxxxxxxxxxxxxxxxxx",
        "password: ********",
        "PASSWORD=changeme",
        "max_tokens: 4096, next_token: null",
        "password must be at least 8 characters",
        "the password is hashed with bcrypt2 before storage",
        "the token is base64-encoded and the secret is sha256-hashed",
        "postgres://user:password@localhost:5432/db",
        "https://user:${TOKEN}@example.com/repo.git",
        "http://localhost:8080/path@v2",
        "git@github.com:owner/repo.git",
        "commit 9c1f4be27d60a83e5b7714c2df0ea9961b3c58d2 broke it",
        "run id 7f3a9c2e-51d4-4b0a-9e77-0c2b6d1fa834 failed",
        "密码长度至少为8位，必须包含数字",
        "口令见保险库，不要写在这里",
        "the file starts with -----BEGIN PRIVATE KEY----- as usual",
        "export PASSWORD_FILE=/run/secrets/db_password",
        "password_hash = hash_password(password, salt)",
        "Authorization: Bearer <token>",
        "Authorization: Bearer ${ACCESS_TOKEN}",
        "fn token(&self) -> Token { self.token.clone() }",
        "if (token === expectedToken) return next();",
        "secret_name: my-app/production/database",
    ] {
        check_quiet(text);
    }
}

#[test]
fn assignments_in_many_forms() {
    let mut lot = Lot(7);
    for _ in 0..50 {
        let token = lot.draw(ALNUM, 24);
        for template in [
            "API_KEY=@@",
            "export AWS_SECRET_ACCESS_KEY=@@",
            "github_token=@@",
            "github_token = '@@'",
            "apiKey: \"@@\",",
            "{\"api_key\": \"@@\", \"n\": 1}",
            "{\\\"api_key\\\": \\\"@@\\\"}",
            "api-key: @@",
            "token => '@@'",
            "const ACCESS_TOKEN: &str = \"@@\";",
            "clientSecret := `@@`",
            "--token @@ --verbose",
            "-H 'X-Api-Key: @@'",
            "https://api.test/v1?token=@@&page=2",
            "//registry.example.org/:_authToken=@@",
            "<apiKey>@@</apiKey>",
            "ENV API_KEY @@",
            "setx(\"API_KEY\", \"@@\")",
            "+STRIPE_KEY=@@",
            "My API key is @@, keep it.",
            "the token for staging is @@",
            "访问密钥：@@",
            "密钥是@@，请保密",
            "令牌 = \"@@\"",
            "API密钥: @@",
        ] {
            check_masked(template, &token);
        }
    }
}

#[test]
fn passwords_in_many_forms() {
    let mut lot = Lot(8);
    for n in 0..50 {
        let drawn = lot.draw(ALNUM, 10);
        let password = match n % 5 {
            0 => format!("{drawn}!x9"),
            1 => format!("P@ss{drawn}#1"),
            2 => ["Tr0ub", "4dor&3"].concat(),
            3 => ["hunt", "er2"].concat(),
            _ => ["Summer", "2024!"].concat(),
        };
        for template in [
            "Password: @@",
            "password=@@",
            "DB_PASSWORD='@@'",
            "{\"password\": \"@@\"}",
            "db_password: @@\nhost: x",
            "password = \"@@\"",
            "数据库密码：@@",
            "密码是@@。",
            "登录口令: @@",
            "PGPASSWORD=@@ psql -h db",
            "Server=db;User Id=sa;Password=@@;Encrypt=true",
            "machine x login y password @@",
        ] {
            check_masked(template, &password);
        }
    }
    check_masked("password: @@", &["abcdefghijklmnop", "!topsecret"].concat());
    check_masked("the password is @@", &["Zx9", "!qLm4"].concat());
    check_masked("log in with @@ as the password", &["Zx9", "!qLm4"].concat());
    check_masked("curl -u admin:@@ https://x", &["Zx9", "!qLm4"].concat());
}

#[test]
fn urls_hide_only_the_password() {
    let mut lot = Lot(9);
    for _ in 0..50 {
        let password = lot.draw(ALNUM, 12);
        for template in [
            "postgres://admin:@@@db.internal:5432/prod".to_owned(),
            "redis://:@@@cache:6379".to_owned(),
            "clone https://ci:@@@git.example.com/a.git now".to_owned(),
            "mongodb+srv://u:@@@c0.mongodb.net/?retryWrites=true".to_owned(),
            "postgres://app@db2/shop?password=@@".to_owned(),
        ] {
            check_masked(&template.replacen("@@@", "\u{1}@", 1).replace('\u{1}', "@@"), &password);
        }
    }
    let text = format!("https://{}@github.com/a/b.git", Lot(3).draw(HEX, 40));
    assert_eq!(mask(&text), "https://[REDACTED]@github.com/a/b.git");
}

#[test]
fn key_blocks_whole_and_cut() {
    let mut lot = Lot(10);
    let line = lot.draw(BASE64, 64);
    let short = lot.draw(BASE64, 20);
    for label in [
        "PRIVATE KEY",
        "RSA PRIVATE KEY",
        "EC PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "ENCRYPTED PRIVATE KEY",
        "PGP PRIVATE KEY BLOCK",
    ] {
        let begin = format!("-----BEGIN {label}-----");
        let whole = format!("{begin}\n{line}\n{line}\n{short}==\n-----END {label}-----");
        check_masked("before\n@@\nafter the key", &whole);
        assert_eq!(kinds(&whole), ["private-key"]);
        let cut = format!("{begin}\n{line}\n{line}");
        check_masked("key: \"x\"\n@@", &cut);
        let escaped = format!("{begin}\\n{line}\\n{short}\\n-----END {label}-----\\n");
        let masked = mask(&escaped);
        assert!(!masked.contains(&line) && !masked.contains(&short), "{masked}");
        let one_line = format!("{begin} {line} {line}");
        check_masked("@@", &one_line);
    }
    let first = format!("MIIEvQIBADANBgkqhkiG9w0BAQEFAASC{}", lot.draw(BASE64, 32));
    check_masked("@@", &first);
}

#[test]
fn headers_in_any_case() {
    let mut lot = Lot(11);
    for _ in 0..50 {
        let token = lot.draw(ALNUM, 32);
        for template in [
            "Authorization: Bearer @@",
            "authorization: bearer @@",
            "AUTHORIZATION: BEARER @@",
            "curl -H \"Authorization: token @@\" https://x",
            "{\"Authorization\": \"Basic @@\"}",
            "headers['Authorization'] = 'Bearer @@'",
            "sent Bearer @@ to it",
        ] {
            check_masked(template, &token);
        }
    }
}

#[test]
fn tokens_in_disguise() {
    let mut lot = Lot(12);
    for n in 0..60 {
        let body = lot.draw(ALNUM, 36);
        if !body.bytes().any(|b| b.is_ascii_digit()) {
            continue;
        }
        let token = format!("ghp_{body}");
        let cut = 5 + n % 30;
        let (a, b) = token.split_at(cut);
        let full: String =
            token.chars().map(|c| char::from_u32(u32::from(c) - 0x21 + 0xff01).unwrap()).collect();
        let percent: String =
            token.bytes().flat_map(|b| format!("%{b:02X}").into_bytes()).map(char::from).collect();
        let underscore = token.replace('_', "%5F");
        let spaced: String = token.chars().flat_map(|c| [c, ' ']).collect();
        for disguise in [
            format!("{a}\u{200b}{b}"),
            format!("{a}\n{b}"),
            format!("{a} {b}"),
            format!("{a}\\\n    {b}"),
            format!("{a}\" + \"{b}"),
            format!("{a}\u{2060}\u{ad}{b}"),
            full,
            percent,
            underscore,
            spaced.trim_end().to_owned(),
            token.replace('p', "р"),
            base64(token.as_bytes()),
            base64(format!("user:{token}").as_bytes()),
        ] {
            for template in ["CI uses @@ today", "@@", "令牌见下：\n@@\n以上"] {
                check_masked(template, &disguise);
            }
        }
    }
}

fn base64(bytes: &[u8]) -> String {
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let n = chunk.iter().fold(0_u32, |n, &b| n << 8 | u32::from(b)) << (8 * (3 - chunk.len()));
        for i in 0..=chunk.len() {
            out.push(BASE64.as_bytes()[(n >> (18 - 6 * i) & 63) as usize] as char);
        }
        for _ in chunk.len()..3 {
            out.push('=');
        }
    }
    out
}

#[test]
fn every_kind_has_an_example_that_is_found_and_masked_whole() {
    let mut lot = Lot(20);
    for entry in memory_guard::catalogue() {
        for _ in 0..50 {
            let mut draw = |n: usize| lot.below(n);
            let example = entry.example(&mut draw);
            let text = format!("note: {example}, see above");
            assert!(
                kinds(&text).contains(&entry.kind()),
                "{}: {example:?} -> {:?}",
                entry.kind(),
                detect(&text)
            );
            if entry.is_structured() {
                assert_eq!(
                    mask(&text),
                    "note: [REDACTED], see above",
                    "{}: {example:?}",
                    entry.kind()
                );
            }
            let counter = entry.counter_example(&mut draw);
            assert!(!kinds(&counter).contains(&entry.kind()), "{}: {counter:?}", entry.kind());
        }
    }
}

#[test]
fn the_kinds_of_old_keep_their_names() {
    let known: Vec<_> = memory_guard::catalogue().map(|entry| entry.kind()).collect();
    for kind in [
        "github-pat",
        "github-fine-grained",
        "npm-token",
        "openai-key",
        "aws-access-key",
        "google-api-key",
        "bearer-token",
        "private-key",
        "credential-assignment",
    ] {
        assert!(known.contains(&kind), "{kind}");
    }
    // Shapes that a scanner of old found, with nothing random in them.
    for (kind, text) in [
        ("github-pat", format!("ghp_{}", "a".repeat(36))),
        ("github-fine-grained", format!("github_pat_{}", "a".repeat(22))),
        ("npm-token", format!("npm_{}", "b".repeat(36))),
        ("openai-key", format!("sk-{}", "c".repeat(20))),
        ("openai-key", format!("sk-proj-{}", "c".repeat(20))),
        ("openai-key", format!("sk-svcacct-{}", "c".repeat(20))),
        ("aws-access-key", format!("AKIA{}", "A".repeat(16))),
        ("google-api-key", format!("AIza{}", "d".repeat(35))),
        ("google-api-key", format!("AIza{}-", "d".repeat(34))),
        ("bearer-token", format!("Bearer {}", "e".repeat(16))),
        ("credential-assignment", format!("api_key = \"{}\"", "f".repeat(16))),
        ("credential-assignment", format!("token: {}", "abcdefghijklmnop")),
        ("github-pat", format!("ghp_{}", "a".repeat(40))),
    ] {
        assert_eq!(kinds(&text), [kind], "{text:?}");
    }
}

#[test]
fn reports_of_others() {
    let fake = ["FAKE", "9kQ2mZ7xT4vB1nR6", "cJ8wL3pD5sH0gYuE"].concat();
    check_masked("CI uses @@ here", &format!("ghs_{fake}"));
    check_masked("and the app uses @@", &format!("gho_{fake}"));
    check_masked("{\"db_password\": \"@@\"}", &["Vq7Lm2Xr", "9Tz4Kp8Wn3"].concat());
    check_masked("{\\\"api_key\\\": \\\"@@\\\"}", &["8fe1c4", "FAKE", "77a0b2c9"].concat());
    check_masked("postgres://app@db2/shop?password=@@", &["hG5-", "kQ9zLm"].concat());
    check_masked("stripe @@ is live", &["sk_live_", "FakeStripe0Key1", "Not2Real3"].concat());
    check_masked(
        "slack @@ bot",
        &["xoxb-", "100000000001-100000000002-", "FAKEslackTOKENnotREAL01"].concat(),
    );
    check_masked("AWS_SECRET=@@", &["wJalrXUtnFEMI/K7MDENG/", "bPxRfiCYEXAMPLEKEY"].concat());
    let jwt = [
        "eyJhbGciOiJIUzI1NiJ9",
        "eyJzdWIiOiJmYWtlLXVzZXIifQ",
        "FAKEsignatureFAKEsignatureFAKEsignature00",
    ]
    .join(".");
    check_masked("jwt @@ expires", &jwt);
    let body = ["MC4CAQAwBQYDK2VwBCIEI", &"FAKEfake".repeat(5), "FA00"].concat();
    check_masked("@@", &format!("-----BEGIN {}\n{body}", "PRIVATE KEY-----"));
}

/// Passwords with any special character, in forms that leave no doubt where
/// they end.
#[test]
fn passwords_with_special_characters_are_masked_whole() {
    const SPECIALS: &str = "!@#$%^&*-_=+?~|:;,.<>(){}[]/";
    let mut lot = Lot(30);
    let (mut whole, mut all) = (0, 0);
    for _ in 0..300 {
        let mut password = lot.draw(&format!("{ALNUM}{SPECIALS}"), 14);
        password.insert(0, 'k');
        password.push_str("4W");
        for template in [
            "DB_PASSWORD=@@",
            "export DB_PASSWORD='@@'",
            "\"password\": \"@@\",",
            "password = '@@'",
            "password: \"@@\"",
            "--password '@@'",
            "The admin password is \"@@\" for now.",
            "管理员密码是“@@”。",
        ] {
            let text = template.replace("@@", &password);
            all += 1;
            let masked = mask(&text);
            whole += usize::from(masked == template.replace("@@", "[REDACTED]"));
            // Whole or not at all, but never a part.
            assert!(masked == text || !masked.contains(&password[..4]), "{text:?} -> {masked:?}");
        }
    }
    assert!(whole * 100 >= all * 98, "{whole} of {all}");
}
