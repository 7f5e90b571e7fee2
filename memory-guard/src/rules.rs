//! The kinds of tokens that are known by their shape, as data.
//!
//! A row says where the shape is documented, how a token begins and what
//! follows. Examples and counter-examples are drawn from the row at run time,
//! so that no text that looks like a secret stands in the source.

/// A set of ASCII characters, as a bit in the class table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// `0-9`
    Digit = 0,
    /// `0-9 a-f A-F`
    Hex = 1,
    /// `0-9 A-Z`
    Upper = 2,
    /// `0-9 a-z`
    Lower = 3,
    /// `0-9 a-z A-Z`
    Alnum = 4,
    /// letters, digits, `_`
    Word = 5,
    /// letters, digits, `_ -`
    Url64 = 6,
    /// letters, digits, `+ / =`
    Std64 = 7,
    /// letters, digits, `_ - .`
    Dotted = 8,
    /// letters, digits, `_ - . ~`
    Tilde = 9,
    /// letters, digits, `_ - . = + / ~`: what a bearer credential may hold
    Bearer = 10,
    /// letters, digits, `_ - =`
    UrlPad = 11,
    /// letters, digits, `-`
    Dashed = 12,
}

const fn class_bits(b: u8) -> u16 {
    let digit = b.is_ascii_digit();
    let upper = b.is_ascii_uppercase();
    let lower = b.is_ascii_lowercase();
    let alnum = digit || upper || lower;
    let under = b == b'_';
    let dash = b == b'-';
    let dot = b == b'.';
    let tilde = b == b'~';
    let std64 = b == b'+' || b == b'/' || b == b'=';
    (digit as u16)
        | ((b.is_ascii_hexdigit() as u16) << 1)
        | (((digit || upper) as u16) << 2)
        | (((digit || lower) as u16) << 3)
        | ((alnum as u16) << 4)
        | (((alnum || under) as u16) << 5)
        | (((alnum || under || dash) as u16) << 6)
        | (((alnum || std64) as u16) << 7)
        | (((alnum || under || dash || dot) as u16) << 8)
        | (((alnum || under || dash || dot || tilde) as u16) << 9)
        | (((alnum || under || dash || dot || tilde || std64) as u16) << 10)
        | (((alnum || under || dash || b == b'=') as u16) << 11)
        | (((alnum || dash) as u16) << 12)
}

const CLASSES: [u16; 256] = {
    let mut table = [0; 256];
    let mut b: u8 = 0;
    loop {
        table[b as usize] = class_bits(b);
        if b == 255 {
            break;
        }
        b += 1;
    }
    table
};

pub(crate) const CLASS_COUNT: usize = 13;

impl Class {
    /// The characters of the class, in order.
    pub(crate) fn members(self) -> Vec<u8> {
        (0..=127).filter(|&b| self.has(b)).collect()
    }

    pub(crate) fn has(self, b: u8) -> bool {
        CLASSES[usize::from(b)] & (1 << self as u16) != 0
    }
}

/// One piece of a shape.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Piece {
    /// This very text.
    Is(&'static str),
    /// Between so many and so many characters of a class.
    Run(Class, usize, usize),
}

/// What must hold beyond the shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Check {
    /// The shape says enough; only placeholders are let go.
    Shape,
    /// The beginning is a common one: what follows must not read like words.
    Chance,
    /// What follows must not read like words, and must hold a digit.
    Digits,
}

/// A kind of token and how it is known.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) kind: &'static str,
    /// Where the shape is documented. Marked `gitleaks`: informed by the rule
    /// of that name there (MIT).
    pub(crate) source: &'static str,
    /// How such a token begins. Searched for in one pass for all rules.
    pub(crate) heads: &'static [&'static str],
    /// What stands before the head and belongs to the token.
    pub(crate) before: Option<(Class, usize)>,
    pub(crate) shape: &'static [Piece],
    pub(crate) check: Check,
}

use Check::{Chance, Digits, Shape};
use Class::{Alnum, Dashed, Digit, Dotted, Hex, Lower, Std64, Tilde, Upper, Url64, UrlPad, Word};
use Piece::{Is, Run};

const MANY: usize = 512;

const fn rule(
    kind: &'static str,
    source: &'static str,
    heads: &'static [&'static str],
    shape: &'static [Piece],
    check: Check,
) -> Rule {
    Rule { kind, source, heads, before: None, shape, check }
}

const fn infix(
    kind: &'static str,
    source: &'static str,
    before: (Class, usize),
    heads: &'static [&'static str],
    shape: &'static [Piece],
    check: Check,
) -> Rule {
    Rule { kind, source, heads, before: Some(before), shape, check }
}

/// All rules. Where two heads begin at the same place the longer one decides,
/// and of two equal ones the first that holds.
#[rustfmt::skip]
pub(crate) static RULES: &[Rule] = &[
    // Code hosting
    rule("github-pat", "GitHub docs, token formats", &["ghp_"], &[Run(Alnum, 36, 255)], Shape),
    rule("github-oauth", "GitHub docs, token formats", &["gho_"], &[Run(Alnum, 36, 255)], Shape),
    rule("github-app-token", "GitHub docs, token formats", &["ghu_", "ghs_"], &[Run(Alnum, 36, 255)], Shape),
    rule("github-refresh-token", "GitHub docs, token formats", &["ghr_"], &[Run(Alnum, 36, 255)], Shape),
    rule("github-fine-grained", "GitHub docs, token formats", &["github_pat_"], &[Run(Word, 22, 255)], Shape),
    rule("gitlab-token", "GitLab docs, token prefixes", &["glpat-", "gldt-", "glrt-", "glrtr-", "glptt-", "glft-", "glsoat-", "glimt-", "glagent-", "gloas-", "glffct-", "glcbt-", "_gitlab_session="], &[Run(Dotted, 20, MANY)], Chance),
    rule("gitlab-token", "GitLab docs, runner registration", &["GR1348941"], &[Run(Url64, 20, MANY)], Chance),
    rule("bitbucket-token", "Atlassian docs, app passwords", &["ATBB"], &[Run(Alnum, 24, MANY)], Digits),
    rule("atlassian-token", "Atlassian docs, API tokens", &["ATATT3", "ATCTT3"], &[Run(UrlPad, 40, MANY)], Chance),
    // Clouds
    rule("aws-access-key", "AWS docs, unique identifiers", &["AKIA", "ASIA", "ABIA", "ACCA"], &[Run(Upper, 16, 16)], Shape),
    rule("aws-bedrock-key", "AWS docs, Bedrock API keys; gitleaks", &["ABSK"], &[Run(Std64, 100, MANY)], Digits),
    rule("aws-bedrock-key", "AWS docs, Bedrock short-term keys", &["bedrock-api-key-"], &[Run(Std64, 20, 4096)], Digits),
    rule("google-api-key", "Google Cloud docs, API keys", &["AIza"], &[Run(Url64, 35, 35)], Shape),
    rule("google-api-key", "Google Cloud docs, API keys", &["AQ.Ab8"], &[Run(Url64, 40, MANY)], Digits),
    rule("google-oauth", "Google Identity docs", &["GOCSPX-"], &[Run(Url64, 28, MANY)], Shape),
    rule("google-oauth", "Google Identity docs, access tokens", &["ya29."], &[Run(Dotted, 30, 2048)], Chance),
    rule("google-oauth", "Google Identity docs, refresh tokens", &["1//0"], &[Run(Url64, 40, MANY)], Chance),
    infix("azure-client-secret", "Microsoft Entra docs; gitleaks azure-ad-client-secret", (Tilde, 4), &["Q~"], &[Run(Tilde, 31, 40)], Chance),
    infix("azure-devops-token", "Azure DevOps docs, token format", (Alnum, 76), &["AZDO"], &[Run(Alnum, 4, 4)], Shape),
    infix("azure-key", "Azure docs, key signatures", (Alnum, 52), &["JQQJ99"], &[Run(Std64, 26, 40)], Shape),
    infix("azure-key", "Azure docs, storage key signature", (Std64, 76), &["+ASt"], &[Run(Std64, 6, 8)], Shape),
    rule("alibaba-key", "Alibaba Cloud docs, access keys", &["LTAI"], &[Run(Alnum, 16, 24)], Digits),
    rule("tencent-key", "Tencent Cloud docs, API keys", &["AKID"], &[Run(Alnum, 32, 32)], Digits),
    rule("digitalocean-token", "DigitalOcean docs", &["dop_v1_", "doo_v1_", "dor_v1_"], &[Run(Hex, 64, 64)], Shape),
    rule("heroku-key", "Heroku docs, HRKU prefix", &["HRKU-AA"], &[Run(Url64, 50, MANY)], Shape),
    rule("heroku-key", "Heroku docs, HRKU prefix", &["HRKU-"], &[Run(Dashed, 36, 36)], Digits),
    rule("cloudflare-key", "Cloudflare docs, origin CA keys", &["v1.0-"], &[Run(Hex, 24, 24), Is("-"), Run(Hex, 146, 146)], Shape),
    rule("cloudflare-key", "Cloudflare docs, token prefixes", &["cfut_", "cfat_", "cfk_"], &[Run(Word, 40, MANY)], Digits),
    rule("fly-token", "Fly.io docs", &["fo1_"], &[Run(Url64, 43, 43)], Digits),
    rule("fly-token", "Fly.io docs", &["fm1_", "fm2_", "fm1r_", "fm1a_", "fm2r_", "fm2a_"], &[Run(Std64, 60, 4096)], Digits),
    rule("netlify-token", "Netlify docs", &["nfp_", "nfc_", "nfo_", "nfb_", "nfu_"], &[Run(Alnum, 36, 36)], Digits),
    rule("vercel-token", "Vercel docs, token formats", &["vcp_", "vci_", "vca_", "vcr_", "vck_"], &[Run(Alnum, 24, MANY)], Digits),
    rule("vercel-token", "Vercel docs, blob store", &["vercel_blob_rw_"], &[Run(Word, 30, MANY)], Chance),
    rule("render-key", "Render docs", &["rnd_"], &[Run(Alnum, 24, MANY)], Digits),
    rule("scalingo-token", "Scalingo docs; gitleaks", &["tk-us-"], &[Run(Url64, 48, 48)], Chance),
    rule("supabase-key", "Supabase docs", &["sbp_"], &[Run(Hex, 40, 40)], Shape),
    rule("supabase-key", "Supabase docs", &["sb_secret_"], &[Run(Url64, 20, MANY)], Chance),
    rule("planetscale-token", "PlanetScale docs", &["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], &[Run(Dotted, 32, 64)], Chance),
    rule("neon-key", "Neon docs", &["napi_"], &[Run(Alnum, 50, MANY)], Digits),
    rule("yandex-key", "Yandex Cloud docs; gitleaks", &["AQVN"], &[Run(Url64, 35, 38)], Digits),
    rule("yandex-key", "Yandex docs; gitleaks", &["t1."], &[Run(UrlPad, 30, MANY), Is("."), Run(UrlPad, 86, 88)], Digits),
    rule("yandex-key", "Yandex OAuth docs", &["y0_", "y0__"], &[Run(Url64, 50, MANY)], Digits),
    rule("scaleway-key", "Scaleway docs", &["SCW"], &[Run(Upper, 17, 17)], Digits),
    rule("tailscale-key", "Tailscale docs", &["tskey-auth-", "tskey-api-", "tskey-client-", "tskey-scim-", "tskey-webhook-"], &[Run(Url64, 17, MANY)], Chance),
    rule("ngrok-token", "ngrok docs", &["ngrok_api_", "ak_2"], &[Run(Word, 40, MANY)], Digits),
    // Model vendors
    rule("deepseek-key", "DeepSeek docs: sk- and 32 hexadecimal digits", &["sk-"], &[Run(Hex, 32, 32)], Digits),
    rule("openai-key", "OpenAI docs", &["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"], &[Run(Url64, 20, MANY)], Chance),
    rule("openai-key", "OpenAI docs", &["sk-"], &[Run(Url64, 20, MANY)], Chance),
    rule("anthropic-key", "Anthropic docs", &["sk-ant-api03-", "sk-ant-admin01-", "sk-ant-oat01-", "sk-ant-ort01-", "sk-ant-sid01-", "sk-ant-"], &[Run(Url64, 24, MANY)], Chance),
    rule("openrouter-key", "OpenRouter docs", &["sk-or-v1-", "sk-or-"], &[Run(Hex, 64, 64)], Shape),
    rule("langfuse-key", "Langfuse docs", &["sk-lf-"], &[Run(Dashed, 36, 36)], Digits),
    rule("huggingface-token", "Hugging Face docs", &["hf_"], &[Run(Alnum, 34, 40)], Chance),
    rule("huggingface-token", "Hugging Face docs; gitleaks", &["api_org_"], &[Run(Alnum, 34, 34)], Chance),
    rule("groq-key", "Groq docs", &["gsk_"], &[Run(Alnum, 48, 60)], Chance),
    rule("xai-key", "xAI docs", &["xai-"], &[Run(Word, 70, 90)], Chance),
    rule("perplexity-key", "Perplexity docs; gitleaks", &["pplx-"], &[Run(Alnum, 40, 56)], Chance),
    rule("replicate-token", "Replicate docs", &["r8_"], &[Run(Alnum, 37, 40)], Chance),
    rule("fireworks-key", "Fireworks docs", &["fw_"], &[Run(Alnum, 22, 32)], Digits),
    rule("together-key", "Together docs", &["tgp_v1_"], &[Run(Url64, 40, MANY)], Chance),
    rule("nvidia-key", "NVIDIA NGC docs", &["nvapi-"], &[Run(Url64, 56, 80)], Chance),
    rule("mem0-key", "Mem0 docs", &["m0-"], &[Run(Alnum, 36, 48)], Digits),
    rule("tavily-key", "Tavily docs", &["tvly-"], &[Run(Url64, 28, 64)], Digits),
    rule("langsmith-key", "LangSmith docs", &["lsv2_pt_", "lsv2_sk_"], &[Run(Word, 40, 64)], Digits),
    rule("cerebras-key", "Cerebras docs", &["csk-"], &[Run(Alnum, 40, 64)], Digits),
    rule("firecrawl-key", "Firecrawl docs", &["fc-"], &[Run(Hex, 32, 32)], Digits),
    rule("jina-key", "Jina docs", &["jina_"], &[Run(Url64, 50, 80)], Digits),
    rule("elevenlabs-key", "ElevenLabs docs", &["sk_"], &[Run(Hex, 48, 48)], Digits),
    rule("e2b-key", "E2B docs", &["e2b_"], &[Run(Hex, 40, 48)], Digits),
    rule("wandb-key", "Weights & Biases docs", &["wandb_v1_"], &[Run(Word, 40, 128)], Digits),
    // Package registries
    rule("npm-token", "npm docs", &["npm_"], &[Run(Alnum, 36, 40)], Shape),
    rule("pypi-token", "PyPI help, API tokens", &["pypi-AgEIcHlwaS5vcmc", "pypi-AgENdGVzdC5weXBpLm9yZ"], &[Run(Url64, 40, 1024)], Shape),
    rule("pypi-token", "PyPI help, API tokens", &["pypi-"], &[Run(Url64, 70, 1024)], Chance),
    rule("cargo-token", "crates.io, token format", &["cio"], &[Run(Alnum, 32, 32)], Digits),
    rule("rubygems-key", "RubyGems guides", &["rubygems_"], &[Run(Hex, 48, 48)], Shape),
    rule("nuget-key", "NuGet docs", &["oy2"], &[Run(Lower, 43, 43)], Digits),
    rule("docker-token", "Docker docs", &["dckr_pat_", "dckr_oat_"], &[Run(Url64, 20, 64)], Chance),
    rule("clojars-token", "Clojars wiki; gitleaks", &["CLOJARS_"], &[Run(Alnum, 60, 60)], Shape),
    rule("artifactory-key", "JFrog docs; gitleaks", &["AKCp"], &[Run(Alnum, 69, 69)], Shape),
    rule("artifactory-key", "JFrog docs; gitleaks", &["cmVmdGtuOj"], &[Run(Alnum, 54, 60)], Shape),
    // Chat and messages
    rule("slack-token", "Slack docs, token types", &["xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxo-", "xoxc-", "xoxd-", "xoxe-", "xoxe.xoxp-", "xoxe.xoxb-", "xapp-"], &[Run(Url64, 20, MANY)], Digits),
    rule("slack-webhook", "Slack docs, incoming webhooks", &["hooks.slack.com/services/", "hooks.slack.com/workflows/"], &[Run(Alnum, 8, 14), Is("/"), Run(Alnum, 8, 14), Is("/"), Run(Alnum, 20, 48)], Chance),
    infix("telegram-token", "Telegram Bot API", (Digit, 8), &[":AA"], &[Run(Url64, 32, 34)], Shape),
    rule("discord-token", "Discord docs, bot tokens", &["MT", "MD", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"], &[Run(Url64, 21, 26), Is("."), Run(Url64, 6, 6), Is("."), Run(Url64, 27, 40)], Chance),
    rule("discord-webhook", "Discord docs, webhooks", &["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"], &[Run(Digit, 17, 20), Is("/"), Run(Url64, 60, 80)], Chance),
    rule("teams-webhook", "Microsoft Teams docs; gitleaks", &["webhook.office.com/webhookb2/"], &[Run(Dashed, 36, 36), Is("@"), Run(Dashed, 36, 36), Is("/IncomingWebhook/"), Run(Hex, 32, 32)], Shape),
    rule("twilio-key", "Twilio docs, API keys", &["SK"], &[Run(Hex, 32, 32)], Digits),
    rule("sendgrid-key", "SendGrid docs", &["SG."], &[Run(Url64, 20, 24), Is("."), Run(Url64, 39, 50)], Shape),
    rule("mailgun-key", "Mailgun docs", &["key-"], &[Run(Hex, 32, 32)], Digits),
    rule("mailgun-key", "Mailgun docs; gitleaks", &["pubkey-"], &[Run(Hex, 32, 32)], Digits),
    infix("mailchimp-key", "Mailchimp docs; gitleaks", (Hex, 32), &["-us"], &[Run(Digit, 1, 2)], Shape),
    rule("brevo-key", "Brevo docs; gitleaks sendinblue-api-token", &["xkeysib-"], &[Run(Hex, 64, 64), Is("-"), Run(Alnum, 16, 16)], Shape),
    rule("resend-key", "Resend docs", &["re_"], &[Run(Alnum, 8, 10), Is("_"), Run(Alnum, 20, 28)], Digits),
    // Money
    rule("stripe-key", "Stripe docs, API keys", &["sk_live_", "sk_test_", "rk_live_", "rk_test_", "sk_prod_", "rk_prod_"], &[Run(Alnum, 10, 255)], Chance),
    rule("stripe-webhook-secret", "Stripe docs, webhooks", &["whsec_"], &[Run(Std64, 24, 64)], Chance),
    rule("square-token", "Square docs", &["sq0atp-", "sq0csp-"], &[Run(Url64, 22, 60)], Chance),
    rule("square-token", "Square docs", &["EAAAE", "EAAAl"], &[Run(Url64, 55, 60)], Digits),
    rule("shopify-token", "Shopify docs", &["shpat_", "shpca_", "shppa_", "shpss_"], &[Run(Hex, 32, 32)], Shape),
    rule("braintree-token", "Braintree docs", &["access_token$production$", "access_token$sandbox$"], &[Run(Lower, 16, 16), Is("$"), Run(Hex, 32, 32)], Shape),
    rule("plaid-token", "Plaid docs", &["access-sandbox-", "access-development-", "access-production-"], &[Run(Dashed, 36, 36)], Digits),
    rule("easypost-key", "EasyPost docs; gitleaks", &["EZAK", "EZTK"], &[Run(Alnum, 54, 54)], Digits),
    rule("flutterwave-key", "Flutterwave docs; gitleaks", &["FLWSECK_TEST-", "FLWSECK-"], &[Run(Alnum, 12, 40)], Digits),
    // Work tools
    rule("linear-key", "Linear docs", &["lin_api_", "lin_oauth_"], &[Run(Alnum, 40, 64)], Shape),
    rule("notion-token", "Notion docs", &["ntn_"], &[Run(Alnum, 43, 50)], Digits),
    rule("notion-token", "Notion docs", &["secret_"], &[Run(Alnum, 43, 43)], Digits),
    rule("figma-token", "Figma docs", &["figd_"], &[Run(Url64, 36, 60)], Chance),
    rule("airtable-token", "Airtable docs; gitleaks", &["pat"], &[Run(Alnum, 14, 14), Is("."), Run(Hex, 64, 64)], Shape),
    rule("postman-key", "Postman docs", &["PMAK-"], &[Run(Hex, 24, 24), Is("-"), Run(Hex, 34, 34)], Shape),
    rule("typeform-token", "Typeform docs; gitleaks", &["tfp_"], &[Run(Tilde, 44, 72)], Digits),
    rule("contentful-token", "Contentful docs", &["CFPAT-"], &[Run(Url64, 43, 43)], Chance),
    rule("readme-key", "ReadMe docs; gitleaks", &["rdme_"], &[Run(Lower, 70, 70)], Digits),
    rule("onepassword-token", "1Password docs, service accounts", &["ops_eyJ"], &[Run(Std64, 200, 4096)], Shape),
    rule("onepassword-key", "1Password docs, secret key", &["A3-"], &[Run(Upper, 6, 6), Is("-"), Run(Upper, 6, 11), Is("-"), Run(Upper, 5, 5), Is("-"), Run(Upper, 5, 5), Is("-"), Run(Upper, 5, 5)], Digits),
    rule("facebook-token", "Meta docs, access tokens", &["EAAM", "EAAC", "EAAG", "EAAB"], &[Run(Alnum, 80, MANY)], Digits),
    // Operations
    rule("vault-token", "HashiCorp Vault docs", &["hvs.", "hvb.", "hvr."], &[Run(Url64, 24, 300)], Chance),
    rule("vault-token", "HashiCorp Vault docs, before 1.10", &["s.", "b.", "r."], &[Run(Alnum, 24, 24)], Digits),
    infix("terraform-token", "Terraform docs; gitleaks", (Alnum, 14), &[".atlasv1."], &[Run(UrlPad, 60, 70)], Shape),
    rule("databricks-token", "Databricks docs", &["dapi"], &[Run(Hex, 32, 32)], Digits),
    rule("grafana-token", "Grafana docs", &["glsa_"], &[Run(Alnum, 32, 32), Is("_"), Run(Hex, 8, 8)], Shape),
    rule("grafana-token", "Grafana docs", &["glc_"], &[Run(Std64, 32, 400)], Chance),
    rule("newrelic-key", "New Relic docs", &["NRAK-", "NRAL-", "NRII-", "NRJS-", "NRAA-"], &[Run(Url64, 19, 40)], Chance),
    rule("doppler-token", "Doppler docs", &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa.", "dp.scim.", "dp.audit."], &[Run(Dotted, 40, 80)], Chance),
    rule("pulumi-token", "Pulumi docs", &["pul-"], &[Run(Hex, 40, 40)], Shape),
    rule("sentry-token", "Sentry docs", &["sntrys_"], &[Run(Std64, 40, 400), Is("_"), Run(Std64, 40, 46)], Shape),
    rule("sentry-token", "Sentry docs", &["sntryu_"], &[Run(Hex, 64, 64)], Shape),
    rule("sonar-token", "SonarQube docs", &["sqp_", "squ_", "sqa_"], &[Run(Hex, 40, 40)], Shape),
    rule("posthog-key", "PostHog docs", &["phx_"], &[Run(Alnum, 40, 60)], Digits),
    rule("dynatrace-token", "Dynatrace docs", &["dt0c01."], &[Run(Upper, 24, 24), Is("."), Run(Upper, 64, 64)], Shape),
    rule("prefect-key", "Prefect docs; gitleaks", &["pnu_", "pnb_"], &[Run(Alnum, 36, 36)], Digits),
    rule("buildkite-token", "Buildkite docs", &["bkua_", "bkat_", "bkct_"], &[Run(Word, 40, 80)], Digits),
    rule("circleci-token", "CircleCI docs", &["CCIPAT_", "CCIPRJ_"], &[Run(Word, 40, 90)], Chance),
    rule("openshift-token", "OpenShift docs; gitleaks", &["sha256~"], &[Run(Url64, 43, 43)], Chance),
    rule("infracost-key", "Infracost docs; gitleaks", &["ico-"], &[Run(Alnum, 32, 32)], Digits),
    rule("frameio-token", "Frame.io docs; gitleaks", &["fio-u-"], &[Run(UrlPad, 64, 64)], Chance),
    rule("rootly-key", "Rootly docs", &["rootly_"], &[Run(Hex, 64, 64)], Shape),
    rule("flagsmith-key", "Flagsmith docs", &["ser."], &[Run(Alnum, 20, 24)], Digits),
    rule("age-key", "age specification", &["AGE-SECRET-KEY-1"], &[Run(Upper, 58, 58)], Shape),
    rule("adobe-secret", "Adobe docs; gitleaks", &["p8e-"], &[Run(Alnum, 32, 32)], Digits),
    rule("mapbox-token", "Mapbox docs", &["sk.eyJ"], &[Run(Url64, 40, 255), Is("."), Run(Url64, 20, 64)], Shape),
    // Any issuer
    rule("jwt", "RFC 7519, compact form", &["eyJ"], &[Run(Url64, 10, 8192), Is(".eyJ"), Run(Url64, 10, 16384), Is("."), Run(UrlPad, 10, 4096)], Shape),
    rule("jwt", "RFC 7516, compact form", &["eyJ"], &[Run(Url64, 14, 8192), Is("."), Run(Url64, 0, 8192), Is("."), Run(Url64, 16, 64), Is("."), Run(Url64, 10, 16384), Is("."), Run(Url64, 16, 64)], Shape),
];

/// A kind that is known by its place or its name rather than by its shape.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) kind: &'static str,
    pub(crate) source: &'static str,
    /// A text that holds one: drawn at run time like a token.
    pub(crate) example: &'static [Piece],
    /// A text that comes near and holds none.
    pub(crate) counter: &'static str,
}

/// The kinds that [`context`](crate::context) and [`assign`](crate::assign)
/// look for.
#[rustfmt::skip]
pub(crate) static PLACES: &[Place] = &[
    Place { kind: "private-key", source: "RFC 7468; RFC 9580; OpenSSH PROTOCOL.key",
        example: &[Is("-----BEGIN "), Is("PRIVATE KEY-----\n"), Run(Alnum, 64, 64), Is("\n"), Run(Alnum, 64, 64), Is("\n-----END "), Is("PRIVATE KEY-----")],
        counter: "-----BEGIN PUBLIC KEY-----\nMFkw\n-----END PUBLIC KEY-----" },
    Place { kind: "url-password", source: "RFC 3986, section 3.2.1",
        example: &[Is("https://ci:"), Run(Alnum, 16, 24), Is("@git.test/a.git")],
        counter: "https://user:password@git.test/a.git" },
    Place { kind: "connection-string", source: "libpq, MongoDB and Redis docs, connection URIs",
        example: &[Is("postgres://app:"), Run(Alnum, 12, 20), Is("@db:5432/prod")],
        counter: "postgres://app:${DB_PASSWORD}@db:5432/prod" },
    Place { kind: "authorization-header", source: "RFC 9110, section 11.6.2",
        example: &[Is("authorization: token "), Run(Alnum, 24, 40)],
        counter: "Authorization: Bearer <token>" },
    Place { kind: "bearer-token", source: "RFC 6750",
        example: &[Is("sent Bearer "), Run(Alnum, 24, 40)],
        counter: "the bearer authentication-middleware" },
    Place { kind: "aws-secret-key", source: "AWS docs, access keys; gitleaks",
        example: &[Is("aws_secret_access_key = "), Run(Alnum, 40, 40)],
        counter: "aws_secret_access_key = ${AWS_SECRET_ACCESS_KEY}" },
    Place { kind: "credential-assignment", source: "gitleaks generic-api-key; own",
        example: &[Is("DEPLOY_TOKEN="), Run(Alnum, 24, 40)],
        counter: "token: src/auth/session/token.ts" },
];
