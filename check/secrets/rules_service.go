package secrets

// serviceRules are the tokens of services that programs talk to.
var serviceRules = []*rule{
	// Messages.
	{id: "slack-token", keywords: []string{"xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "xoxe-", "xoxe.", "xoxc-", "xoxd-", "xoxo-", "xapp-", "xwfp-"}, glued: true,
		pattern: `(?:xox[a-z](?:\.xox[a-z])?|xapp|xwfp)-[A-Za-z0-9%/+=_-]{10,}`, source: "Slack docs: token types"},
	{id: "slack-webhook", keywords: []string{"hooks.slack.com/"}, glued: true,
		pattern: `hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_+-]{20,})`, source: "Slack docs: incoming webhooks"},
	{id: "discord-webhook", keywords: []string{"discord.com/api/", "discordapp.com/api/"}, glued: true,
		pattern: `discord(?:app)?\.com/api/(?:v[0-9]+/)?webhooks/([0-9]{10,}/[A-Za-z0-9_-]{30,})`, source: "Discord docs: webhook resource"},
	{id: "discord-token", starts: discordPrefixes,
		pattern: `[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}`, source: "Discord docs: authentication"},
	{id: "teams-webhook", keywords: []string{".webhook.office.com/"}, glued: true,
		pattern: `\.webhook\.office\.com/(webhookb2/[A-Za-z0-9@/-]{30,})`, source: "Microsoft Learn: Teams incoming webhooks"},
	{id: "telegram-token", keywords: []string{":AA"}, glued: true,
		pattern: `:(AA[A-Za-z0-9_-]{32,34})\b`, source: "Telegram docs: bot API, authorizing your bot"},
	{id: "twilio-key", starts: twilioPrefixes,
		pattern: `(?:SK|AC)[0-9a-f]{32}\b`, source: "Twilio docs: API keys, string identifiers"},
	{id: "sendgrid-key", keywords: []string{"SG."},
		pattern: `SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`, source: "SendGrid docs: API keys"},
	{id: "mailgun-key", keywords: []string{"key-"},
		pattern: `key-[0-9a-f]{32}\b`, source: "Mailgun docs: authentication"},
	{id: "mailchimp-key", keywords: []string{"-us"}, back: 32,
		pattern: `[0-9a-f]{32}-us[0-9]{1,2}\b`, source: "Mailchimp docs: marketing API quick start"},
	{id: "brevo-key", keywords: []string{"xkeysib-", "xsmtpsib-"},
		pattern: `x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}\b`, source: "Brevo docs: API and SMTP keys"},
	{id: "resend-key", keywords: []string{"re_"},
		pattern: `re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}`, source: "Resend docs: API keys"},

	// Payments and shops.
	{id: "stripe-key", keywords: []string{"sk_live_", "rk_live_", "sk_test_", "rk_test_"}, glued: true,
		pattern: `[sr]k_(?:live|test)_[A-Za-z0-9]{16,}`, source: "Stripe docs: API keys"},
	{id: "stripe-webhook-secret", keywords: []string{"whsec_"}, glued: true,
		pattern: `whsec_[A-Za-z0-9+/=]{20,}`, source: "Stripe docs: webhook signatures"},
	{id: "square-token", keywords: []string{"sq0atp-", "sq0csp-", "sq0idp-", "EAAA"},
		pattern: `sq0[a-z]{3}-[A-Za-z0-9_-]{22,}|EAAA[A-Za-z0-9_-]{60}`,
		check:   varied, source: "Square docs: access tokens"},
	{id: "shopify-token", keywords: []string{"shpat_", "shpca_", "shppa_", "shpss_", "shpua_"}, glued: true,
		pattern: `shp(?:at|ca|pa|ss|ua)_[a-fA-F0-9]{32,}`, source: "Shopify docs: access tokens"},
	{id: "paypal-token", keywords: []string{"access_token$"}, glued: true,
		pattern: `access_token\$(?:production|sandbox)\$[a-z0-9]{10,}\$[a-f0-9]{32}`, source: "PayPal Braintree docs: access tokens"},

	{id: "easypost-key", keywords: []string{"EZAK", "EZTK"},
		pattern: `EZ[AT]K[A-Za-z0-9]{54}\b`, source: "EasyPost docs: API keys"},
	{id: "shippo-token", keywords: []string{"shippo_live_", "shippo_test_"},
		pattern: `shippo_(?:live|test)_[a-f0-9]{40}\b`, source: "Shippo docs: API tokens"},
	{id: "duffel-token", keywords: []string{"duffel_live_", "duffel_test_"},
		pattern: `duffel_(?:live|test)_[A-Za-z0-9_-]{40,}`, source: "Duffel docs: access tokens"},
	{id: "flutterwave-key", keywords: []string{"FLWSECK-", "FLWSECK_TEST-"},
		pattern: `FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,}(?:-X)?`, source: "Flutterwave docs: API keys"},

	// Models.
	{id: "anthropic-key", keywords: []string{"sk-ant-"},
		pattern: `sk-ant-[A-Za-z0-9_-]{20,}`, source: "Anthropic docs: API keys"},
	{id: "openai-key", keywords: []string{"sk-"},
		pattern: `sk-(?:(?:proj|svcacct|admin|None|or-v1|lf|org)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{32,}|[A-Za-z0-9_-]{20,}T3BlbkFJ[A-Za-z0-9_-]{20,})`, source: "OpenAI docs: API keys"},
	{id: "huggingface-token", keywords: []string{"hf_", "api_org_"},
		pattern: `(?:hf_|api_org_)[A-Za-z0-9]{30,}`, source: "Hugging Face docs: user access tokens"},
	{id: "groq-key", keywords: []string{"gsk_"},
		pattern: `gsk_[A-Za-z0-9]{40,}`, source: "Groq docs: API keys"},
	{id: "xai-key", keywords: []string{"xai-"},
		pattern: `xai-[A-Za-z0-9_-]{60,}`, source: "xAI docs: API keys"},
	{id: "perplexity-key", keywords: []string{"pplx-"},
		pattern: `pplx-[A-Za-z0-9]{40,}`, source: "Perplexity docs: API keys"},
	{id: "replicate-token", keywords: []string{"r8_"},
		pattern: `r8_[A-Za-z0-9]{30,}`, source: "Replicate docs: API tokens"},
	{id: "langsmith-key", keywords: []string{"lsv2_pt_", "lsv2_sk_"},
		pattern: `lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}`, source: "LangSmith docs: API keys"},

	// Data and observation.
	{id: "databricks-token", keywords: []string{"dapi"},
		pattern: `dapi[a-f0-9]{32}(?:-[0-9]+)?\b`, source: "Databricks docs: personal access tokens"},
	{id: "supabase-token", keywords: []string{"sbp_", "sb_secret_"},
		pattern: `sbp_(?:oauth_)?[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{20,}`, source: "Supabase docs: API keys"},
	{id: "planetscale-token", keywords: []string{"pscale_tkn_", "pscale_pw_", "pscale_oauth_"},
		pattern: `pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{30,}`, source: "PlanetScale docs: service tokens"},
	{id: "neon-key", keywords: []string{"napi_"},
		pattern: `napi_[a-z0-9]{40,}`, source: "Neon docs: API keys"},
	{id: "grafana-token", keywords: []string{"glsa_", "glc_", "eyJrIjoi"},
		pattern: `glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/=]{30,}|eyJrIjoi[A-Za-z0-9]{60,}={0,2}`, source: "Grafana docs: service accounts, access policies"},
	{id: "newrelic-key", keywords: []string{"NRAK-", "NRII-", "NRAA-", "NRJS-"},
		pattern: `NR(?:AK|II|AA|JS)-[A-Za-z0-9-]{19,}`, source: "New Relic docs: API keys"},
	{id: "newrelic-key", keywords: []string{"NRAL"}, back: 36,
		pattern: `[a-z]{2}[0-9]{2}xx[a-f0-9]{30}NRAL\b|[a-f0-9]{36}NRAL\b`, source: "New Relic docs: license keys"},
	{id: "posthog-key", keywords: []string{"phx_"},
		pattern: `phx_[A-Za-z0-9]{40,}`, source: "PostHog docs: personal API keys"},
	{id: "apify-token", keywords: []string{"apify_api_"},
		pattern: `apify_api_[A-Za-z0-9]{30,}`, source: "Apify docs: API tokens"},
	{id: "sentry-token", keywords: []string{"sntrys_", "sntryu_"},
		pattern: `sntrys_eyJ[A-Za-z0-9+/=_-]{30,}|sntryu_[a-f0-9]{64}`, source: "Sentry docs: auth tokens"},
	{id: "datadog-key", keywords: []string{"dd_api_key", "dd_app_key", "dd_application_key", "dd-api-key", "dd-application-key", "datadog_api_key", "datadog_app_key"}, fold: true, glued: true,
		pattern: `(?i)(?:dd|datadog)[a-z_-]{8,16}["']?\s*[:=]\s*["']?([a-f0-9]{32,40})\b`, source: "Datadog docs: API and application keys"},
	{id: "dynatrace-token", keywords: []string{"dt0c01.", "dt0s16.", "dt0s01."},
		pattern: `dt0[a-z][0-9]{2}\.[A-Z0-9]{8,24}\.[A-Z0-9]{60,}`, source: "Dynatrace docs: access tokens, format"},

	// Work in teams.
	{id: "linear-key", keywords: []string{"lin_api_", "lin_oauth_"},
		pattern: `lin_(?:api|oauth)_[A-Za-z0-9]{32,}`, source: "Linear docs: API authentication"},
	{id: "notion-token", keywords: []string{"secret_", "ntn_"},
		pattern: `secret_[A-Za-z0-9]{43}\b|ntn_[A-Za-z0-9]{40,}`, source: "Notion docs: authorization"},
	{id: "figma-token", keywords: []string{"figd_", "figo_", "figu_"},
		pattern: `fig[dou]_[A-Za-z0-9_-]{36,}`, source: "Figma docs: personal access tokens"},
	{id: "airtable-token", keywords: []string{"pat"},
		pattern: `pat[A-Za-z0-9]{14}\.[a-f0-9]{64}\b`, source: "Airtable docs: personal access tokens"},
	{id: "hubspot-token", keywords: []string{"pat-"},
		pattern: `pat-(?:na|eu|ap)[0-9]-[a-f0-9]{8}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{4}-[a-f0-9]{12}`, source: "HubSpot docs: private app access tokens"},
	{id: "readme-key", keywords: []string{"rdme_"},
		pattern: `rdme_[a-z0-9]{70}\b`, source: "ReadMe docs: API keys"},
	{id: "postman-key", keywords: []string{"PMAK-"},
		pattern: `PMAK-[a-f0-9]{24}-[a-f0-9]{34}`, source: "Postman docs: API keys"},
	{id: "contentful-token", keywords: []string{"CFPAT-"},
		pattern: `CFPAT-[A-Za-z0-9_-]{43,}`, source: "Contentful docs: personal access tokens"},
	{id: "typeform-token", keywords: []string{"tfp_"},
		pattern: `tfp_[A-Za-z0-9_]{40,}`, source: "Typeform docs: personal access tokens"},
	{id: "dropbox-token", keywords: []string{"sl."},
		pattern: `sl\.(?:u\.)?[A-Za-z0-9_-]{120,}`, source: "Dropbox docs: OAuth guide, access tokens"},
	{id: "launchdarkly-key", keywords: []string{"sdk-", "api-"},
		pattern: `(?:sdk|api)-[a-f0-9]{8}-[a-f0-9]{4}-4[a-f0-9]{3}-[a-f0-9]{4}-[a-f0-9]{12}`, source: "LaunchDarkly docs: SDK keys and access tokens"},
}

// discordPrefixes are how a bot's token can start: its first part is the decimal id of the bot in base64.
func discordPrefixes() []string {
	var all []string
	for _, two := range []string{"MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"} {
		for _, c := range "AEIMQUYcgk" {
			all = append(all, two+string(c))
		}
	}
	return all
}

// twilioPrefixes are how a key (SK) or account (AC) id can start.
func twilioPrefixes() []string {
	var all []string
	for _, c := range "0123456789abcdef" {
		all = append(all, "SK"+string(c), "AC"+string(c))
	}
	return all
}
