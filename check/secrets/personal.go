package secrets

import "strings"

// Personal gives what names a person or a machine without being secret: mail addresses (rule mail-address) and hosts
// of private networks (rule host-name). It is for settings that report them; Find and Mask leave them alone.
func Personal(text string) []Hit {
	var hits []Hit
	for i := 0; i < len(text); i++ {
		if text[i] == '@' {
			if start, end, ok := mailAddress(text, i); ok {
				hits = append(hits, Hit{"mail-address", start, end, Fingerprint(text[start:end])})
				i = end - 1
			}
		}
	}
	for _, h := range privateHosts(text) {
		if !within(hits, h) {
			hits = append(hits, h)
		}
	}
	return settle(hits)
}

func within(hits []Hit, h Hit) bool {
	for _, other := range hits {
		if other.Start <= h.Start && h.End <= other.End {
			return true
		}
	}
	return false
}

func mailAddress(text string, at int) (start, end int, ok bool) {
	start, end = at, at+1
	for start > 0 && at-start < 64 && (alnum(text[start-1]) || strings.IndexByte("._%+-", text[start-1]) >= 0) {
		start--
	}
	for end < len(text) && hostByte(text[end]) {
		end++
	}
	host := strings.TrimRight(text[at+1:end], ".-")
	dot := strings.LastIndexByte(host, '.')
	return start, at + 1 + len(host), start < at && dot > 0 && len(host)-dot > 2 && letter(host[dot+1])
}

// privateDomains end the names of hosts that only a private network knows (RFC 2606, RFC 6762, RFC 8375 and custom).
var privateDomains = []string{".local", ".internal", ".intranet", ".lan", ".corp", ".localdomain", ".home.arpa", ".invalid"}

func privateHosts(text string) []Hit {
	var hits []Hit
	for i := 0; i < len(text); {
		if !hostByte(text[i]) {
			i++
			continue
		}
		end := i
		for end < len(text) && hostByte(text[end]) {
			end++
		}
		host := strings.Trim(text[i:end], ".-")
		for _, d := range privateDomains {
			if strings.HasSuffix(host, d) && len(host) > len(d) {
				start := i + strings.Index(text[i:end], host)
				hits = append(hits, Hit{"host-name", start, start + len(host), Fingerprint(host)})
				break
			}
		}
		i = end
	}
	return hits
}

func hostByte(c byte) bool { return alnum(c) || c == '.' || c == '-' }
