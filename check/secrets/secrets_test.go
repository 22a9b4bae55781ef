package secrets

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// Invented values. They are put together here so that no file holds a token.
const (
	letters36 = "abcdEFGHijklMNOPqrstUVWXyz0123456789"
	hex32     = "0123456789abcdef" + "fedcba9876543210"
	hex40     = hex32 + "01234567"
	uuid      = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"
	sha256Hex = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
)

// tokens is at least one value for each rule that has a format of its own: what it is, and its two halves.
var tokens = []struct{ rule, a, b string }{
	{"github-token", "gh", "p_" + letters36},
	{"github-token", "gh", "s_" + letters36},
	{"github-token", "github", "_pat_11ABCDEFG0" + letters36 + "_" + letters36},
	{"gitlab-token", "gl", "pat-abcDEF123456ghiJKL78"},
	{"gitlab-token", "gl", "rt-abcDEF123456ghiJKL78"},
	{"atlassian-token", "ATA", "TT3xFfGF0" + letters36},
	{"azure-devops-token", hex40 + letters36, "AZ" + "DOab12"},
	{"aws-access-key", "AK", "IAIOSFODNN7EXAMPLE"},
	{"aws-access-key", "AS", "IAIOSFODNN7EXAMPL8"},
	{"gcp-api-key", "AI", "za" + letters36[:35]},
	{"google-oauth-token", "ya", "29.a0" + letters36},
	{"google-oauth-token", "1/", "/0g" + letters36},
	{"google-client-secret", "GOC", "SPX-" + letters36[:28]},
	{"azure-client-secret", "abc8", "Q~" + letters36[:34]},
	{"digitalocean-token", "do", "p_v1_" + hex32 + hex32},
	{"heroku-key", "HR", "KU-AA" + letters36},
	{"cloudflare-token", "cf", "ut_" + letters36 + "abcd" + "0a1b2c3d"},
	{"cloudflare-origin-key", "v1", ".0-" + hex32[:24] + "-" + hex32 + hex32 + hex32 + hex32},
	{"vercel-token", "vc", "p_" + letters36[:24]},
	{"netlify-token", "nf", "p_" + letters36},
	{"fly-token", "fm", "2_" + letters36},
	{"render-key", "rn", "d_" + letters36[:28]},
	{"alibaba-access-key", "LT", "AI" + letters36[:20]},
	{"terraform-token", letters36[:14], ".atlas" + "v1." + letters36 + letters36},
	{"vault-token", "hv", "s." + letters36},
	{"pulumi-token", "pu", "l-" + hex40},
	{"doppler-token", "dp", ".pt." + letters36 + "abcd"},
	{"tailscale-key", "tsk", "ey-auth-k123456CNTRL-" + letters36[:20]},
	{"docker-token", "dckr", "_pat_" + letters36[:27]},
	{"age-key", "AGE-SECRET", "-KEY-1QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQPZRY9X8GF2TVDW0S3JN54KH"},
	{"1password-token", "ops", "_eyJ" + letters36 + letters36},
	{"circleci-token", "CCI", "PAT_" + letters36},
	{"buildkite-token", "bk", "ua_" + hex40},
	{"sonar-token", "sq", "u_" + hex40},
	{"sourcegraph-token", "sg", "p_" + hex40},
	{"artifactory-key", "AK", "Cp" + letters36 + letters36},
	{"npm-token", "np", "m_" + letters36},
	{"pypi-token", "py", "pi-AgEIcHlwaS5vcmc" + letters36},
	{"rubygems-key", "ruby", "gems_" + hex40 + "01234567"},
	{"nuget-key", "oy", "2" + strings.ToLower(letters36) + "abcdefg"},
	{"crates-token", "ci", "o" + letters36[:32]},
	{"clojars-token", "CLO", "JARS_" + hex32 + hex32[:28]},
	{"slack-token", "xo", "xb-111111111111-222222222222-abcdefABCDEF"},
	{"slack-token", "xa", "pp-1-A012345-0123456789012-" + hex32},
	{"discord-token", "MT" + "A" + letters36[:23], ".G" + "abcde." + letters36},
	{"twilio-key", "S", "K" + hex32},
	{"sendgrid-key", "S", "G." + letters36[:22] + "." + letters36 + "abcdefg"},
	{"mailgun-key", "ke", "y-" + hex32},
	{"mailchimp-key", hex32, "-us" + "12"},
	{"resend-key", "re", "_abCD1234_" + letters36[:24]},
	{"stripe-key", "sk", "_live_" + letters36[:24]},
	{"stripe-key", "rk", "_live_" + letters36[:24]},
	{"stripe-webhook-secret", "wh", "sec_" + letters36[:32]},
	{"square-token", "sq0", "atp-" + letters36[:22]},
	{"shopify-token", "shp", "at_" + hex32},
	{"paypal-token", "access", "_token$production$abcdef0123456789$" + hex32},
	{"anthropic-key", "sk", "-ant-api03-" + letters36 + "-AA"},
	{"openai-key", "s", "k-proj-" + letters36},
	{"openai-key", "s", "k-" + letters36 + "abcdEFGHijkl"},
	{"huggingface-token", "h", "f_" + letters36[:34]},
	{"groq-key", "gs", "k_" + letters36 + letters36[:16]},
	{"xai-key", "xa", "i-" + letters36 + letters36},
	{"perplexity-key", "pp", "lx-" + letters36 + letters36[:12]},
	{"replicate-token", "r8", "_" + letters36},
	{"langsmith-key", "lsv2", "_pt_" + hex32 + "_0123456789"},
	{"databricks-token", "da", "pi" + hex32 + "-2"},
	{"supabase-token", "sb", "p_" + hex40},
	{"planetscale-token", "pscale", "_tkn_" + letters36},
	{"neon-key", "na", "pi_" + strings.ToLower(letters36) + "abcdefgh"},
	{"grafana-token", "gl", "sa_" + letters36[:32] + "_0a1b2c3d"},
	{"grafana-token", "gl", "c_eyJvIjoi" + letters36},
	{"newrelic-key", "NR", "AK-ABCDEFGHIJKLMNOPQRSTUVWXYZ0"},
	{"sentry-token", "sntr", "yu_" + hex32 + hex32},
	{"dynatrace-token", "dt0", "c01.ABCDEFGHIJKLMNOPQRSTUVWX." + strings.ToUpper(letters36) + strings.ToUpper(letters36)},
	{"linear-key", "lin", "_api_" + letters36 + "abcd"},
	{"notion-token", "nt", "n_" + letters36 + letters36[:10]},
	{"notion-token", "sec", "ret_" + letters36 + "abcdefg"},
	{"figma-token", "fi", "gd_" + letters36 + "-_ab"},
	{"airtable-token", "pa", "t" + letters36[:14] + "." + hex32 + hex32},
	{"hubspot-token", "pa", "t-na1-" + uuid},
	{"postman-key", "PM", "AK-" + hex32[:24] + "-" + hex32 + "ab"},
	{"contentful-token", "CF", "PAT-" + letters36 + "abcdefg"},
	{"typeform-token", "tf", "p_" + letters36 + "abcdefgh"},
	{"launchdarkly-key", "sd", "k-" + uuid},
	{"dropbox-token", "sl", ".u." + letters36 + letters36 + letters36 + letters36},
	{"private-key-base64", "LS0tLS1CRUdJ", "TiBSU0EgUFJJVkFURSBLRVktLS0tLQ" + letters36},
	{"private-key-base64", "LS0tLS1CRUdJ", "TiBQUklWQVRFIEtFWS0tLS0tCk1J" + letters36},
	{"gitlab-token", "GR13", "48941" + letters36[:20]},
	{"artifactory-key", "cmVm", "dGtu" + letters36 + letters36[:20]},
	{"prefect-key", "pn", "u_" + letters36},
	{"scalingo-token", "tk", "-us-" + letters36 + letters36[:12]},
	{"brevo-key", "xkey", "sib-" + hex32 + hex32 + "-" + letters36[:16]},
	{"easypost-key", "EZ", "AK" + letters36 + letters36[:18]},
	{"shippo-token", "shippo", "_live_" + hex40},
	{"duffel-token", "duffel", "_test_" + letters36 + "abcdefg"},
	{"flutterwave-key", "FLWSECK", "_TEST-" + hex32 + "-X"},
	{"posthog-key", "ph", "x_" + letters36 + "abcdefg"},
	{"apify-token", "apify", "_api_" + letters36},
	{"readme-key", "rd", "me_" + hex32 + hex32 + "012345"},
	{"newrelic-key", hex32 + "0123", "NR" + "AL"},
	{"newrelic-key", "eu01xx" + hex32[:30], "NR" + "AL"},
	{"jwt", "ey", "JhbGciOiJub25lIn0.ey" + "JzdWIiOiJleGFtcGxlIn0"},
	{"jwt", "ey", "JhbGciOiJub25lIn0.ey" + "JzdWIiOiJleGFtcGxlIn0.c2lnbmF0dXJl"},
}

func TestTokenFormats(t *testing.T) {
	for _, tok := range tokens {
		v := tok.a + tok.b
		for _, text := range []string{v, "replace " + v + " in the key store, then run make upload", `{"a":"x\n` + v + `\n"}`, "x=\x1b[31m" + v + "\x1b[0m", "(" + v + ")."} {
			hits := Find(text)
			if len(hits) != 1 || hits[0].Rule != tok.rule || text[hits[0].Start:hits[0].End] != v {
				t.Errorf("%s: %d hits in %.30q: %+v", tok.rule, len(hits), text, hits)
				continue
			}
			masked, n := Mask(text, nil)
			if want := strings.Replace(text, v, "[masked:"+tok.rule+"]", 1); masked != want || n != 1 {
				t.Errorf("%s: masked %d: %q, want %q", tok.rule, n, masked, want)
			}
		}
	}
}

func TestEveryRuleHasASourceAndIsTried(t *testing.T) {
	tried := map[string]bool{"teams-webhook": true, "discord-webhook": true, "slack-webhook": true, "telegram-token": true}
	for _, tok := range tokens {
		tried[tok.rule] = true
	}
	for _, c := range contexts {
		tried[c.rule] = true
	}
	for _, r := range rules() {
		if r.source == "" || r.id == "" || (r.pattern == "") == (r.at == nil) {
			t.Errorf("rule %q has no source, no id, or not exactly one way to match", r.id)
		}
		if !tried[r.id] {
			t.Errorf("no test has a value of rule %q", r.id)
		}
		for _, w := range r.words() {
			if len(w) < 3 {
				t.Errorf("rule %q: the keyword %q is too short for the index", r.id, w)
			}
		}
	}
}

// contexts are secrets known by what stands around them: want is the text with each of them masked.
var contexts = []struct{ rule, text, want string }{
	{"secret", "DB_PASSWORD=hunter2-example", "DB_PASSWORD=[masked:secret]"},
	{"secret", "export DB_PASSWORD='hunter2 example'; make", "export DB_PASSWORD='[masked:secret]'; make"},
	{"secret", `"password": "hunter2-example", "user": "x"`, `"password": "[masked:secret]", "user": "x"`},
	{"secret", `{\"password\": \"hunter2-example\"}`, `{\"password\": \"[masked:secret]\"}`},
	{"secret", "password: hunter2-example\nuser: mette", "password: [masked:secret]\nuser: mette"},
	{"secret", "password: correcthorse", "password: [masked:secret]"},
	{"secret", "password = hunter2", "password = [masked:secret]"},
	{"secret", "tool --password hunter2-example --verbose", "tool --password [masked:secret] --verbose"},
	{"secret", "tool --api-key=abcdef123456 run", "tool --api-key=[masked:secret] run"},
	{"secret", "PGPASSWORD=hunter2 psql -h db", "PGPASSWORD=[masked:secret] psql -h db"},
	{"secret", "https://api.example.invalid/x?token=abcd1234efgh&y=1", "https://api.example.invalid/x?token=[masked:secret]&y=1"},
	{"secret", "client_secret: 'abcd1234efgh'", "client_secret: '[masked:secret]'"},
	{"secret", "X-Api-Key: abcd1234efgh", "X-Api-Key: [masked:secret]"},
	{"secret", "<password>hunter2</password>", "<password>[masked:secret]</password>"},
	{"secret", `config["api_key"] = "abcd1234efgh"`, `config["api_key"] = "[masked:secret]"`},
	{"secret", `password: str = "hunter2"`, `password: str = "[masked:secret]"`},
	{"secret", "Server=db;User Id=sa;Password=hunter2!x;Timeout=3", "Server=db;User Id=sa;Password=[masked:secret];Timeout=3"},
	{"secret", "the password is hunter2-example, keep it", "the password is [masked:secret], keep it"},
	{"secret", "HEROKU_API_KEY=" + uuid, "HEROKU_API_KEY=[masked:secret]"},
	{"secret", "SECRET_KEY_BASE=" + hex32 + hex32, "SECRET_KEY_BASE=[masked:secret]"},
	{"secret", "//registry.example.invalid/:_auth" + "Token=abcd1234efgh", "//registry.example.invalid/:_auth" + "Token=[masked:secret]"},
	{"secret", "api key: abcd1234efgh", "api key: [masked:secret]"},
	{"secret", "Passwort: geheim123", "Passwort: [masked:secret]"},
	{"secret", "mot_de_passe=secret123", "mot_de_passe=[masked:secret]"},
	{"secret", "密码：abc123def", "密码：[masked:secret]"},
	{"secret", `setenv("DB_PASSWORD", "hunter2")`, `setenv("DB_PASSWORD", "[masked:secret]")`},
	{"secret", "connect(user=x, password=hunter2)", "connect(user=x, password=[masked:secret])"},
	{"secret", "a\\nDB_PASSWORD=hunter2\\nPATH=/usr/bin", "a\\nDB_PASSWORD=[masked:secret]\\nPATH=/usr/bin"},
	{"secret", "the password for the db is hunter2-example.", "the password for the db is [masked:secret]."},
	{"secret", "pw: hunter2-example", "pw: [masked:secret]"},
	{"secret", "user=mette pass=hunter2", "user=mette pass=[masked:secret]"},
	{"secret", "passphrase: correct horse battery staple\nb", "passphrase: [masked:secret]\nb"},
	{"secret", `Passphrase "correct horse battery staple" it is`, `Passphrase "[masked:secret]" it is`},
	{"secret", `<add key="Password" value="hunter2" />`, `<add key="Password" value="[masked:secret]" />`},
	{"secret", `{"name": "DB_PASSWORD", "value": "hunter2"}`, `{"name": "DB_PASSWORD", "value": "[masked:secret]"}`},
	{"secret", "['tool', '--password', 'hunter2']", "['tool', '--password', '[masked:secret]']"},
	{"secret", "The token is abc123xyz456ghi789", "The token is [masked:secret]"},
	{"secret", "password → hunter2", "password → [masked:secret]"},
	{"password", "openssl rsa -passin pass:hunter2 -in k", "openssl rsa -passin pass:[masked:password] -in k"},
	{"password", "redis-cli -h db -a hunter2 ping", "redis-cli -h db -a [masked:password] ping"},
	{"password", "zip -P hunter2 x.zip y", "zip -P [masked:password] x.zip y"},
	{"gitlab-token", "git clone https://oauth2-token:gl" + "pat-abcDEF123456ghiJKL78@gitlab.invalid/a", "git clone https://oauth2-token:[masked:gitlab-token]@gitlab.invalid/a"},
	{"password", "sshpass -p hunter2 ssh host", "sshpass -p [masked:password] ssh host"},
	{"password", "curl -s -u mette:hunter2 https://x.invalid", "curl -s -u mette:[masked:password] https://x.invalid"},
	{"password", "mysqldump -h db -u root -phunter2 shop", "mysqldump -h db -u root -p[masked:password] shop"},
	{"password", "docker login -u mette -p hunter2 r.invalid", "docker login -u mette -p [masked:password] r.invalid"},
	{"password", "sshpass -p 'sun shine' ssh host", "sshpass -p '[masked:password]' ssh host"},
	{"password", "curl -sSfu mette:hunter2 https://x.invalid", "curl -sSfu mette:[masked:password] https://x.invalid"},
	{"password", `curl -d "a=1&b=2; c" -u "mette:sun shine" https://x.invalid`, `curl -d "a=1&b=2; c" -u "mette:[masked:password]" https://x.invalid`},
	{"cookie", "curl -sb 'sid=abcd1234; theme=dark' https://x.invalid", "curl -sb 'sid=[masked:cookie]' https://x.invalid"},
	{"cookie", "got PHPSESSID=abcd1234abcd1234 back", "got PHPSESSID=[masked:cookie] back"},
	{"password", "htpasswd -bc users mette hunter2", "htpasswd -bc users mette [masked:password]"},
	{"password", "htpasswd -nb mette hunter2", "htpasswd -nb mette [masked:password]"},
	{"password", "openssl enc -aes-256-cbc -k hunter2 -in x", "openssl enc -aes-256-cbc -k [masked:password] -in x"},
	{"password", "echo hunter2 | sudo -S make install", "echo [masked:password] | sudo -S make install"},
	{"password", `echo "hunter2 x" | docker login -u mette --password-stdin`, `echo "[masked:password]" | docker login -u mette --password-stdin`},
	{"password", "echo 'mette:hunter2' | chpasswd", "echo 'mette:[masked:password]' | chpasswd"},
	{"password", `ConvertTo-SecureString "hunter2" -AsPlainText`, `ConvertTo-SecureString "[masked:password]" -AsPlainText`},
	{"token", "cargo login abcd1234EFGH5678ijkl", "cargo login [masked:token]"},
	{"secret", "ENV DB_PASSWORD hunter", "ENV DB_PASSWORD [masked:secret]"},
	{"secret", "set -gx API_TOKEN abcd1234efgh; make", "set -gx API_TOKEN [masked:secret]; make"},
	{"secret", "gh secret set NPM_TOKEN --body 'abcd1234efgh'", "gh secret set NPM_TOKEN --body '[masked:secret]'"},
	{"secret", "CI_PAT=abcd1234efgh", "CI_PAT=[masked:secret]"},
	{"secret", "PresharedKey = abcd1234EFGH5678ijkl=", "PresharedKey = [masked:secret]"},
	{"database-password", "db.invalid:5432:shop:mette:hunter2", "db.invalid:5432:shop:mette:[masked:database-password]"},
	{"database-password", "dsn mette:hunter2@tcp(db:3306)/shop", "dsn mette:[masked:database-password]@tcp(db:3306)/shop"},
	{"database-password", "jdbc:oracle:thin:scott/tiger@db:1521:x", "jdbc:oracle:thin:scott/[masked:database-password]@db:1521:x"},
	{"netrc-password", "machine x.invalid\n  login mette\n  password hunter\n", "machine x.invalid\n  login mette\n  password [masked:netrc-password]\n"},
	{"registry-auth", `{"auths": {"r.invalid": {"auth": "bWV0dGU6aHVudGVyMg=="}}}`, `{"auths": {"r.invalid": {"auth": "[masked:registry-auth]"}}}`},
	{"encoded", "data: Z2hwX2FiY2RFRkdIaWprbE1OT1BxcnN0VVZXWHl6MDEyMzQ1Njc4OQ== end", "data: [masked:encoded] end"},
	{"encoded", "data: bTpnaHBfYWJjZEVGR0hpamtsTU5PUHFyc3RVVldYeXowMTIzNDU2Nzg5", "data: [masked:encoded]"},
	{"encoded", "data: bWU6Z2hwX2FiY2RFRkdIaWprbE1OT1BxcnN0VVZXWHl6MDEyMzQ1Njc4OQ", "data: [masked:encoded]"},
	{"vault-unseal-key", "Unseal Key 1: abcd1234EFGH5678ijkl9012mnop3456QRST7890uv=", "Unseal Key 1: [masked:vault-unseal-key]"},
	{"signed-url", "https://s.invalid/k?X-Amz-Signature=" + sha256Hex, "https://s.invalid/k?X-Amz-Signature=[masked:signed-url]"},
	{"azure-functions-key", "https://f.azurewebsites.net/api/x?code=abcd1234EFGH5678ijkl==", "https://f.azurewebsites.net/api/x?code=[masked:azure-functions-key]"},
	{"artifactory-key", "X-JFrog-Art-Api: abcd1234EFGH5678ijkl", "X-JFrog-Art-Api: [masked:artifactory-key]"},
	{"url-password", "https://" + hex40 + ":x-oauth-basic@x.invalid/a", "https://[masked:url-password]@x.invalid/a"},
	{"url-password", "postgres://mette:hunter2@db.invalid/shop", "postgres://mette:[masked:url-password]@db.invalid/shop"},
	{"url-password", "redis://:hunter2@db.invalid", "redis://:[masked:url-password]@db.invalid"},
	{"url-password", "amqp://u:p@ssw0rd@host:5672/x", "amqp://u:[masked:url-password]@host:5672/x"},
	{"url-password", "amqp://u:p/ssw0rd@host:5672/x", "amqp://u:[masked:url-password]@host:5672/x"},
	{"url-password", `https:\/\/u:hunter2@host\/x`, `https:\/\/u:[masked:url-password]@host\/x`},
	{"authorization", "Authorization: Bearer abcd1234efgh5678", "Authorization: Bearer [masked:authorization]"},
	{"authorization", `-H "Authorization: token abcd1234efgh"`, `-H "Authorization: token [masked:authorization]"`},
	{"authorization", `"Authorization": "Basic bWV0dGU6aHVudGVyMg=="`, `"Authorization": "Basic [masked:authorization]"`},
	{"authorization", "sent bearer abcd1234efgh5678 twice", "sent bearer [masked:authorization] twice"},
	{"cookie", "Cookie: session=abcd1234; theme=dark\nAccept: */*", "Cookie: [masked:cookie]\nAccept: */*"},
	{"aws-secret-key", "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY" + "EXAMPLEKEY", "aws_secret_access_key = [masked:aws-secret-key]"},
	{"azure-storage-key", "AccountName=x;AccountKey=abcd1234EFGH5678ijkl9012==;EndpointSuffix=y", "AccountName=x;AccountKey=[masked:azure-storage-key];EndpointSuffix=y"},
	{"azure-sas-signature", "https://x.invalid/c?sv=2020&sig=abcd1234EFGH5678ijkl9012mnop%3D&se=1", "https://x.invalid/c?sv=2020&sig=[masked:azure-sas-signature]&se=1"},
	{"datadog-key", "DD_API_KEY=" + hex32, "DD_API_KEY=[masked:datadog-key]"},
	{"slack-webhook", "https://hooks.slack" + ".com/services/T00000000/B00000000/abcd1234EFGH", "https://hooks.slack.com/services/[masked:slack-webhook]"},
	{"discord-webhook", "https://discord" + ".com/api/webhooks/123456789012345678/" + letters36, "https://discord.com/api/webhooks/[masked:discord-webhook]"},
	{"telegram-token", "bot 123456789" + ":AA" + letters36[:33], "bot 123456789:[masked:telegram-token]"},
	{"private-key", "a\n-----BEGIN RSA PRIV" + "ATE KEY-----\nMIIBexampleexampleexample\nabcd\n-----END RSA PRIV" + "ATE KEY-----\nb", "a\n[masked:private-key]\nb"},
	{"private-key", "a\n-----BEGIN OPENSSH PRIV" + "ATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA\nb3BlbnNzaC1rZXktdjEA", "a\n[masked:private-key]"},
	{"private-key", `"key": "-----BEGIN PRIV` + `ATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0B\nabcdefgh12345678\n-----END PRIV` + `ATE KEY-----\n"`, `"key": "[masked:private-key]\n"`},
	{"private-key", "…cut\nMIIEvQIBADANBgkqhkiG9w0B\nabcd==\n-----END RSA PRIV" + "ATE KEY-----\ndone", "…cut\n[masked:private-key]\ndone"},
	{"private-key", "-----BEGIN PGP PRIV" + "ATE KEY BLOCK-----\nVersion: x\n\nlQVYBGExampleExample1234\n=abcd\n-----END PGP PRIV" + "ATE KEY BLOCK-----", "[masked:private-key]"},
	{"private-key", "Private-Lines: 2\nAAAAgQCexampleexample12\nAAAAgQCexampleexample34\nPrivate-MAC: 00", "Private-Lines: 2\n[masked:private-key]\nPrivate-MAC: 00"},
}

func TestSecretsInContext(t *testing.T) {
	for _, c := range contexts {
		if got, n := Mask(c.text, nil); got != c.want || n != 1 {
			t.Errorf("%s: Mask(%q)\n got %q (%d)\nwant %q", c.rule, c.text, got, n, c.want)
		}
	}
}

// plain is what must stay as it is.
var plain = []string{
	"", "make test", "git cat-file -t " + hex40, sha256Hex + "  docs/GATE-DOCTRINE-2026.md", "run " + uuid + " finished",
	"docs/GATE-DOCTRINE-2026.md", "commit " + hex40, "sha256:" + sha256Hex, "PATH=/usr/bin", "PWD=/srv/work/gate", "OLDPWD=/srv",
	"password=${DB_PASSWORD}", "password=$DB_PASSWORD", "PASSWORD=<password>", "token: <your token>", "API_KEY=xxxxxxxxxxxx", "API_KEY=changeme",
	"password: ********", "password: required", "token: null", "token=your_token_here", "api_key: {{ api_key }}", "secrets: inherit",
	"token: ${{ secrets.DEPLOY_TOKEN }}", "password = getpass.getpass()", "token = os.environ[\"TOKEN\"]", "token := os.Getenv(\"TOKEN\")",
	"password=self.password", "login(user=user, password=password)", "password: str", "password: str = None", "max_tokens=4096", "token_count: 1234",
	"tokens: 512", "next_page_token=abcdef123456", "token_type: bearer", "password_file=/run/secrets/db", "secret_name: my-deploy-secret-1",
	"invalid token: expired", "fix token handling", "the secret is out", "key: value", "cache_key=abc123def456", "primary_key: user_id1",
	"public_key=abcd1234efgh5678", "idempotency_key: " + uuid, "risk-management-and-other-long-words-here", "task-list-with-long-name-and-more-words",
	"https://example.invalid/a:b@c", "https://example.invalid:8080/x", "git@example.invalid:a/b.git", "ssh://git@example.invalid/a",
	"https://user:password@example.invalid", "https://user:${PW}@example.invalid", "mail mette@example.invalid",
	"Authorization: Bearer <token>", "Authorization: Bearer $TOKEN", "authorization: required for admins", "basic training for everyone", "bearer of bad news again",
	"look for -----BEGIN RSA PRIV" + "ATE KEY----- in the log", "-----BEGIN CERTIFICATE-----\nMIIBexampleexampleexample\n-----END CERTIFICATE-----",
	"gh" + "p_" + strings.Repeat("x", 36), "AK" + "IA" + strings.Repeat("X", 16), "the gh" + "p_ prefix", "sk" + "-learn", "eyJ", "tests_pass: true", "pass: 12, fail: 3",
	"bypass=abcdef123456", "tokenizer: gpt2x1", "keyboard: qwerty12", "monkey: banana12", "passed: 12abc34d", "mysql -h db -P 3306 -u root -p shop", "curl -u \"$USER:$PASS\" https://x.invalid",
	"curl https://x.invalid", "cookie: yes", "secretKeyRef: name", "password: |", "password: !vault |", "token: path/to/file.txt", "secret: https://vault.invalid/x",
	`["id","password","email","token","created_at1"]`, `env = append(env, "PWD="+pwd)`, "readerPass atomic.Int32", "SIOCSLIFTOKEN = -0x7f879679", "PASS: DWARF2 11", "PASS: 16-bit insns", "Pass `-http=2x`",
	"honor --ask-pass when loading", "the --password option is not given", "renamed to --password.  Added more", "-onepass -dither ordered", "PWD=`pwd`", "trailer.<token>.command",
	"decrypt without a password is GNUTLS_E_DECRYPTION_FAILED", "use --askpass=COMMAND here", "DB_PASSWORD: added",
	"PASS=0 FAIL=3", "pass=true", "the password for the db is stored in the vault", "the token is " + hex40, "token 12 is bad", "pass: 3 of 4", "password rules are described in section 4",
	"passphrase: required for all logins of users", `{"name": "token_count", "value": "12345678"}`, "the secret is well kept here",
	"credentials: 'include'", "fetch(u, {credentials: 'same-origin'})", "if (token === expectedToken1)", "password != confirm2", "unexpected token: 'foo1bar2'", "arn:aws:secretsmanager:eu-west-1:123456789012:secret:prod/db-AbCdEf",
	"deploy key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIexampleexample", "user.signingkey=" + strings.ToUpper(hex40), "signing key: " + strings.ToUpper(hex40), "SMART_HCYL_PASS = 0x80107447",
	"password := args[3]", "token = token[:-1]", "line.Token = line.Token[1:]", "connect(user, password *uint16, n int)", "PrivateKey:  testPrivateKey,", "API_KEY = os.environ[\"API_KEY\"]", "Token: '#d8dee9'",
	`"encryptionKey": "encryption_key"`, "('access_token', 'refresh_token')", "curl -u user:password https://x.invalid", "docker login -u me -p password", "mysql -p\"$PW\" shop", "curl -sSfL https://x.invalid/a:b", "curl -sSu $U:$P https://x.invalid",
	"echo done | sudo tee /etc/x", "echo $PW | sudo -S true", "echo \"$PW\" | docker login --password-stdin", "htpasswd -c users mette", "machine foo login bar password missing", "vault login -method=oidc", "cargo login is needed here",
	"ENV NODE_ENV production", "ENV TOKEN_TTL 3600", "ENV API_TOKEN is set by CI", "ENV API_TOKEN ${API_TOKEN}", "set -x API call failed", "GH_PAT=$(gh auth token)", "file_pat=src/a1b2c3d4/x.go", `{"auth": "none"}`, `{"auth": "Y29vbA=="}`,
	"localhost:5432: connection refused: retry later", "dial :5432: a: b", "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
	"sha512-" + letters36 + "/" + letters36 + "+abcd1234==", "golang.org/x/term v0.1.0 h1:" + letters36 + "abcdefg=", "EAAA" + strings.Repeat("AAAAAAAB", 8),
	"test_password_reset_with_token ... ok", "--- FAIL: TestTokenExpiry (0.00s)", "token.go:12: unexpected token: }", "docker login -p", "feature/PROJ-123-token-refresh",
}

func TestPlainTextStays(t *testing.T) {
	for _, text := range plain {
		if got, n := Mask(text, nil); got != text || n != 0 {
			t.Errorf("Mask(%q) = %q (%d)", text, got, n)
		}
	}
}

func TestAllowedValuesStay(t *testing.T) {
	text := "token gh" + "p_" + letters36 + " and DB_PASSWORD=hunter2"
	hits := Find(text)
	if len(hits) != 2 {
		t.Fatalf("hits: %+v", hits)
	}
	for _, h := range hits {
		if len(h.Fingerprint) != 12 || strings.Contains(text, h.Fingerprint) {
			t.Errorf("fingerprint %q", h.Fingerprint)
		}
	}
	got, n := Mask(text, Allowed{hits[0].Fingerprint: true})
	if want := "token gh" + "p_" + letters36 + " and DB_PASSWORD=[masked:secret]"; got != want || n != 1 {
		t.Errorf("got %q (%d)", got, n)
	}
}

func TestTheSameValueHasTheSameFingerprintEverywhere(t *testing.T) {
	v := "gh" + "p_" + letters36
	a, b := Find("Authorization: Bearer "+v), Find("API_KEY=\""+v+"\"")
	if len(a) != 1 || len(b) != 1 || a[0].Fingerprint != b[0].Fingerprint || a[0].Rule != "github-token" || b[0].Rule != "github-token" {
		t.Errorf("%+v %+v", a, b)
	}
}

func TestMaskSeesThroughColours(t *testing.T) {
	token := "gh" + "p_" + letters36
	for text, want := range map[string]string{
		"\x1b[01;31m\x1b[Kgh" + "p_\x1b[m\x1b[K" + letters36 + " ok": "[masked:github-token] ok",
		"\x1b[31m" + token + "\x1b[0m":                               "\x1b[31m[masked:github-token]\x1b[0m",
		"\x1b[31mred\x1b[0m \x1b[":                                   "\x1b[31mred\x1b[0m \x1b[",
		"\x1b[1é\x1b[\x1b[2" + token:                                 "\x1b[1é\x1b[\x1b[2[masked:github-token]",
	} {
		if got, _ := Mask(text, nil); got != want {
			t.Errorf("Mask(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestMaskingEnds holds that a value that is masked is not found again in a piece of its marker.
func TestMaskingEnds(t *testing.T) {
	for text, want := range map[string]string{
		"db.invalid:5432:shop:mette:hunter2":                    "db.invalid:5432:shop:mette:[masked:database-password]",
		"curl -u gh" + "p_" + letters36 + ": https://x.invalid": "curl -u [masked:github-token]: https://x.invalid",
		"echo 'mette:hunter2' | chpasswd":                       "echo 'mette:[masked:password]' | chpasswd",
	} {
		if got, n := Mask(text, nil); got != want || n != 1 {
			t.Errorf("Mask(%q) = %q (%d)", text, got, n)
		}
	}
}

// A value is masked whole, however much of it was looked at.
func TestLongValues(t *testing.T) {
	long := strings.Repeat(letters36, 400)
	for _, c := range []struct{ before, after string }{
		{"PASSWORD=", " next"}, {`PASSWORD="`, `" next`}, {`{"password": "`, `"}`}, {`{\"password\":\"`, `\"}`}, {"token: ", "\nnext"},
		{"PASSWORD=" + letters36 + "password=", ""}, {"https://host/?access_token=", "&x=1"}, {"sk-ant-" + "api03-", ""}, {"glpat" + "-", " next"},
	} {
		masked, n := Mask(c.before+long+c.after, nil)
		if n == 0 || strings.Contains(masked, letters36) || !strings.HasSuffix(masked, c.after) {
			t.Errorf("%q: %d masked, %d bytes are left", c.before, n, len(masked))
		}
	}
}

func TestMaskArgs(t *testing.T) {
	for _, c := range []struct {
		args, want []string
		n          int
	}{
		{[]string{"tool", "--password", "hunter2 x"}, []string{"tool", "--password", "[masked:secret]"}, 1},
		{[]string{"tool", "--token", "abc"}, []string{"tool", "--token", "abc"}, 0},
		{[]string{"tool", "--password", "--help"}, []string{"tool", "--password", "--help"}, 0},
		{[]string{"tool", "--password-file", "x1y2z3w4"}, []string{"tool", "--password-file", "x1y2z3w4"}, 0},
		{[]string{"mysql", "-u", "root", "-phunter2"}, []string{"mysql", "-u", "root", "-p[masked:password]"}, 1},
		{[]string{"curl", "-u", "mette:hunter2", "https://x.invalid"}, []string{"curl", "-u", "mette:[masked:password]", "https://x.invalid"}, 1},
		{[]string{"curl", "-H", "Authorization: Bearer gh" + "p_" + letters36}, []string{"curl", "-H", "Authorization: Bearer [masked:github-token]"}, 1},
		{[]string{"mysql", "-psun shine", "shop"}, []string{"mysql", "-p[masked:password]", "shop"}, 1},
		{[]string{"curl", "-d", "a=1&b=2|c", "-u", "mette:pw;x y", "https://x.invalid"}, []string{"curl", "-d", "a=1&b=2|c", "-u", "mette:[masked:password]", "https://x.invalid"}, 1},
		{[]string{"docker", "login", "-p", "a'b\"c"}, []string{"docker", "login", "-p", "[masked:password]"}, 1},
		{[]string{"env", "DB_PASSWORD=sun shine", "make"}, []string{"env", "DB_PASSWORD=[masked:secret]", "make"}, 1},
		{[]string{"sh", "-c", "DB_PASSWORD=hunter2 make | cat"}, []string{"sh", "-c", "DB_PASSWORD=[masked:secret] make | cat"}, 1},
		{[]string{"gh", "secret", "set", "NPM_TOKEN", "--body", "abcd1234efgh"}, []string{"gh", "secret", "set", "NPM_TOKEN", "--body", "[masked:secret]"}, 1},
		{[]string{"rg", "secret: (\\w+)1x", "src"}, []string{"rg", "secret: (\\w+)1x", "src"}, 0},
		{[]string{"git", "commit", "-m", "fix; password reset & token check"}, []string{"git", "commit", "-m", "fix; password reset & token check"}, 0},
		{[]string{"make", "test"}, []string{"make", "test"}, 0},
		{nil, []string{}, 0},
	} {
		before := strings.Join(c.args, "\x00")
		got, n := MaskArgs(c.args, nil)
		if strings.Join(got, "\x00") != strings.Join(c.want, "\x00") || n != c.n {
			t.Errorf("MaskArgs(%q) = %q (%d), want %q", c.args, got, n, c.want)
		}
		if strings.Join(c.args, "\x00") != before {
			t.Errorf("MaskArgs changed its input %q", c.args)
		}
	}
}

func TestHome(t *testing.T) {
	for _, c := range []struct{ text, home, want string }{
		{"/home/mette/work/gate.txt", "", "~/work/gate.txt"},
		{"HOME=/home/mette", "", "HOME=~"},
		{"cd /Users/Mette/x && ls", "", "cd ~/x && ls"},
		{`C:\Users\Mette\x`, "", `~\x`},
		{`"C:\\Users\\Jane Doe\\x"`, "", `"~\\x"`},
		{"C:/Users/mette/x /c/Users/mette/y /mnt/c/Users/mette/z", "", "~/x ~/y ~/z"},
		{"/var/home/mette/x", "", "~/x"},
		{"file:///home/mette/x", "", "file://~/x"},
		{"-I/home/mette/include -L/home/mette", "", "-I~/include -L~"},
		{"see /home/mette.", "", "see ~."},
		{"/data/people/m/x and /data/people/mx", "/data/people/m", "~/x and /data/people/mx"},
		{`D:\\people\\m\\x`, `D:\people\m`, `~\\x`},
		{"/srv/home/mette", "", "/srv/home/mette"},
		{"https://example.invalid/home/page", "", "https://example.invalid/home/page"},
		{"/home/", "", "/home/"},
		{"/Users/Shared/x", "", "/Users/Shared/x"},
		{"/root/x", "/root", "~/x"},
		{"/x", "/", "/x"},
	} {
		if got := Home(c.text, c.home); got != c.want {
			t.Errorf("Home(%q, %q) = %q, want %q", c.text, c.home, got, c.want)
		}
		if again := Home(c.want, c.home); again != c.want {
			t.Errorf("Home(%q) again = %q", c.want, again)
		}
	}
}

func TestPersonal(t *testing.T) {
	text := "ask mette@example.invalid for a key on bygg-07.example.invalid, not on example.com"
	var got []string
	for _, h := range Personal(text) {
		got = append(got, h.Rule+" "+text[h.Start:h.End])
	}
	if want := "mail-address mette@example.invalid|host-name bygg-07.example.invalid"; strings.Join(got, "|") != want {
		t.Errorf("got %q", got)
	}
}

func FuzzMask(f *testing.F) {
	for _, tok := range tokens {
		f.Add(tok.a + tok.b)
	}
	for _, c := range contexts {
		f.Add(c.text)
		f.Add(c.text + c.text)
	}
	for _, text := range plain {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		masked, n := Mask(text, nil)
		if hits := Find(masked); len(hits) > 0 {
			t.Errorf("left in %q: %+v", masked, hits)
		}
		if again, m := Mask(masked, nil); again != masked || m != 0 {
			t.Errorf("again: %q, %d", again, m)
		}
		if utf8.ValidString(text) && !utf8.ValidString(masked) {
			t.Errorf("%q is not UTF-8", masked)
		}
		if (n == 0) != (masked == text) {
			t.Errorf("%d masked, %q", n, masked)
		}
		args, _ := MaskArgs(strings.Fields(text), nil)
		for _, a := range args {
			if len(Find(a)) > 0 {
				t.Errorf("left in the argument %q", a)
			}
		}
	})
}

func FuzzHome(f *testing.F) {
	f.Add("/home/mette/x", "/home/mette")
	f.Add(`C:\Users\Jane Doe\x`, `C:\Users\Jane Doe`)
	f.Fuzz(func(t *testing.T, text, home string) {
		got := Home(text, "")
		if utf8.ValidString(text) && !utf8.ValidString(got) {
			t.Errorf("%q is not UTF-8", got)
		}
		Home(text, home)
		Personal(text)
	})
}

func BenchmarkNoKeyword(b *testing.B) {
	text := strings.Repeat("ok   internal/flow 0.012s the gate is closed and the water rises\n", 1<<20/66)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Find(text)
	}
}

func BenchmarkLog(b *testing.B) {
	line := "2026-03-02T09:00:00Z auth: token refreshed for user, key=abc, https://example.invalid/x passed\n"
	text := strings.Repeat(line, 1<<20/len(line))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Find(text)
	}
}

// A long word that is full of names costs what its length is, not the square of it: compare the bytes a second.
func BenchmarkNamesInOneWord(b *testing.B) {
	for _, kib := range []int{16, 256} {
		text := strings.Repeat("password=", kib<<10/9)
		b.Run(strconv.Itoa(kib)+"KiB", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Find(text)
			}
		})
	}
}
