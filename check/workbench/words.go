package workbench

import (
	"strings"
	"sync"
	"unicode"
)

// A Status is where an item of a board stands.
type Status string

const (
	Done       Status = "done"
	Open       Status = "open"
	InProgress Status = "in_progress"
	Blocked    Status = "blocked"
	// Dropped items are neither done nor to be done: cancelled, won't fix.
	Dropped Status = "dropped"
	// Contradictory items say that they are done and that they are not.
	Contradictory Status = "contradictory"
	// Unknown items say nothing, or have a word that is in no list.
	Unknown Status = "unknown"
)

// statusWords are the words for each status, as plainWord writes them, with a bar between two. A word that is not
// here is not guessed at.
var statusWords = map[Status]string{
	Done: "done|complete|completed|completes|finished|finish|closed|resolved|fixed|merged|shipped|released|deployed|delivered|implemented|verified|" +
		"passed|pass|passing|passes|success|succeeded|successful|ok|accepted|approved|achieved|solved|landed|all done|signed off|green|done done|" +
		"completed successfully|fully done|✅|✔|✓|☑|💚|🎉|qa passed|tests passed|tests passing|tests pass|all tests passed|all tests passing|" +
		"all tests pass|verified ok|done and verified|implemented and verified|implemented verified|published|launched|in production|merged to main" +
		"|implementado|implementada|verificado|verificada|aprobado|aprobada|entregado|entregada|desplegado|publicado|entregue|finalizada|" +
		"implementiert|verifiziert|freigegeben|ausgeliefert|implémenté|implémentée|vérifié|vérifiée|déployé|déployée|approuvé|реализовано|" +
		"проверено|внедрено|развёрнуто|принято|实现|已实现|已上线|已合并|已验收|已发布|已修复|実装済み|実装済|確認済み|完了済み|完了しました|" +
		"対応済|リリース済み|구현 완료|배포 완료|완료함|완료했음|해결|배포됨" +
		"|fertig|erledigt|abgeschlossen|beendet|fertiggestellt|gelöst|umgesetzt|bestanden|geschlossen" +
		"|terminé|terminée|terminés|terminées|fini|finie|fait|faite|achevé|achevée|accompli|complet|complété|complétée|résolu|résolue|clos|close|" +
		"livré|réussi|validé|validée|termine|terminee|acheve" +
		"|hecho|hecha|terminado|terminada|completado|completada|completo|completa|finalizado|finalizada|resuelto|resuelta|cerrado|cerrada|listo|lista|acabado|acabada|cumplido" +
		"|feito|feita|concluído|concluída|concluido|concluida|pronto|pronta|finalizado|resolvido|resolvida|fechado|fechada|encerrado|terminado" +
		"|fatto|fatta|completato|completata|finito|finita|terminato|terminata|concluso|conclusa|risolto|risolta|chiuso|chiusa" +
		"|gereed|klaar|voltooid|afgerond|afgehandeld|opgelost|gesloten|gedaan" +
		"|færdig|afsluttet|fuldført|lukket|udført|løst|ferdig|fullført|avsluttet|lukket|utført|klar|klart|färdig|slutförd|avslutad|löst|stängd|valmis|tehty" +
		"|zrobione|gotowe|ukończone|zakończone|skończone|wykonane|zamknięte|rozwiązane|ukonczone|zakonczone|hotovo|dokončeno|hotové|kész|befejezve" +
		"|готово|готов|готова|сделано|выполнено|завершено|завершён|завершен|закрыто|решено|зроблено|виконано|завершено" +
		"|完成|已完成|完了|完結|完|结束|已结束|通过|已通过|已关闭|已解决|做完|済|済み|終了|対応済み|解決済み|クローズ|완료|완료됨|완성|종료|해결됨" +
		"|tamamlandı|bitti|tamam|yapıldı|đã xong|hoàn thành|xong|selesai|مكتمل|تم|منجز|הושלם|בוצע|पूर्ण|पूरा|เสร็จแล้ว|เสร็จสิ้น|ολοκληρώθηκε|έτοιμο|finalizat|gata",
	Open: "open|todo|to do|to be done|tbd|not started|notstarted|unstarted|new|pending|planned|plan|backlog|queued|queue|ready|ready to start|" +
		"ready for dev|ready for development|not done|incomplete|unfinished|failing|failed|fail|not passing|fails|red|created|proposed|idea|draft|" +
		"scheduled|upcoming|next|next up|later|future|reopened|reopen|remaining|outstanding|unresolved|untested|unassigned|assigned|up next|icebox|" +
		"inbox|never started|not implemented|not yet started|not yet|undone|❌|✗|✘|✖|⬜|☐|□|◻|⚪|🆕|📋|🔲|needs work|needs fix|needs fixes|" +
		"needs fixing|needs repair|repair required|needs changes|changes requested|needs rework|qa failed|tests failing|tests failed|broken|" +
		"not working|unimplemented|not verified|unverified|not tested|to fix|unblocked|not yet done|not complete|not completed|not finished|" +
		"spec ready|spec approved|spec draft|specced|triage|triaged|groomed|someday" +
		"|nicht erledigt|nicht fertig|unvollständig|zu testen|entwurf|non fait|non faite|pas fait|pas faite|non terminé|non terminée|brouillon|" +
		"no hecho|no hecha|sin hacer|no completado|no terminado|por iniciar|borrador|incompleto|incompleta|não feito|não feita|não concluído|" +
		"não concluída|a iniciar|rascunho|не сделано|не выполнено|не готово|не завершено|в очереди|черновик|未实现|未完成的|未通过|失败|未着手です|" +
		"未実装|失敗|미착수|미구현|진행 예정|실패" +
		"|offen|geplant|ausstehend|neu|zu erledigen|nicht begonnen|nicht gestartet|anstehend|bereit|unerledigt|fehlgeschlagen" +
		"|à faire|a faire|ouvert|ouverte|en attente de démarrage|prévu|prévue|planifié|planifiée|non commencé|non commencée|pas commencé|nouveau|nouvelle|à venir|échoué" +
		"|por hacer|pendiente|pendientes|abierto|abierta|planificado|planificada|planeado|no iniciado|no iniciada|sin empezar|sin iniciar|nuevo|nueva|fallido" +
		"|a fazer|por fazer|pendente|pendentes|aberto|aberta|planejado|planejada|planeada|não iniciado|não iniciada|nao iniciado|novo|nova" +
		"|da fare|aperto|aperta|da iniziare|non iniziato|non iniziata|pianificato|pianificata|in programma|nuova" +
		"|te doen|nog te doen|gepland|niet gestart|nieuw|openstaand" +
		"|åben|planlagt|ikke startet|ikke begyndt|ikke påbegyndt|ny|nyt|skal gøres|at gøre|åpen|ikke påbegynt|å gjøre|gjenstår|öppen|planerad|" +
		"ej påbörjad|inte påbörjad|att göra|avoin|tekemättä|suunniteltu|aloittamatta" +
		"|do zrobienia|otwarte|zaplanowane|nowe|oczekujące|oczekuje|nierozpoczęte|do wykonania|nové|k udělání|teendő|nyitott" +
		"|открыто|открыт|новый|новая|новое|запланировано|ожидает|ожидание|не начато|к выполнению|сделать|надо сделать|в планах|відкрито|заплановано|не розпочато" +
		"|待办|待處理|待处理|未开始|未開始|未完成|待开始|待定|计划中|計劃中|待做|未着手|未対応|未実施|予定|新規|未完了|オープン|할 일|할일|대기|" +
		"대기중|대기 중|예정|미완료|시작 전|미시작" +
		"|yapılacak|bekliyor|açık|planlandı|başlanmadı|chưa bắt đầu|chưa làm|cần làm|belum|belum mulai|rencana|قيد الانتظار|جديد|لم يبدأ|לביצוע|" +
		"חדש|लंबित|รอดำเนินการ|ยังไม่เริ่ม|εκκρεμεί|de făcut",
	InProgress: "in progress|inprogress|progress|in process|doing|wip|work in progress|started|active|ongoing|current|working|working on|in work|" +
		"in development|developing|development|implementing|in implementation|coding|building|running|in review|review|reviewing|under review|" +
		"needs review|awaiting review|ready for review|code review|pr open|in pr|in testing|testing|in test|qa|in qa|verifying|validating|" +
		"in validation|partial|partially done|partially complete|partially completed|partly done|claimed|in flight|underway|under way|almost done|" +
		"nearly done|🔄|🚧|⏳|⌛|🏗|🟡|🔨|▶|👀|on going|analyzing|analysing|designing|drafting|specifying|investigating|fixing|debugging|to review|" +
		"to test|to verify|ready for qa|ready for test|ready for testing|ready to test|ready for verification|ready for human review|" +
		"ready to merge|ready for merge|ready for push|ready to push|ready to deploy|ready for deploy|ready for deployment|ready for release|" +
		"code complete|code done|dev complete|dev done|awaiting qa|awaiting merge|awaiting verification|awaiting test|awaiting deployment|" +
		"waiting for review|waiting on review|waiting review|waiting for qa|waiting for merge|waiting for test|waiting for testing|" +
		"waiting for verification|waiting for ci|waiting for deployment|pending review|pending verification|half done|almost complete|" +
		"nearly complete|mostly complete|almost finished|partially|partly|mostly done" +
		"|in umsetzung|im review|zur prüfung|teilweise erledigt|teilweise fertig|à tester|à valider|à relire|partiellement terminé|" +
		"partiellement terminée|en pruebas|en validación|pendiente de revisión|parcialmente completado|parcialmente completada|em teste|em testes|" +
		"em análise|em validação|parcialmente concluído|parcialmente concluída|на тестировании|к проверке|ожидает проверки|ревью|частично|" +
		"частично выполнено|частично готово|запущено|待审核|待验收|待测试|待确认|需要审核|部分完成|基本完成|已启动|排期中|着手|確認中|検証中|" +
		"レビュー待ち|確認待ち|テスト中|稼働中|검토 필요|검토 대기|부분 완료|테스트 중|테스트중|시작됨" +
		"|in arbeit|in bearbeitung|laufend|läuft|begonnen|aktiv|angefangen|im gange|in prüfung|in review|in entwicklung|teilweise" +
		"|en cours|en cours de traitement|en progrès|commencé|commencée|actif|active|en revue|en relecture|en développement|en test|partiel|démarré" +
		"|en progreso|en curso|en proceso|en desarrollo|haciendo|iniciado|iniciada|activo|activa|en revisión|en revision|empezado|en marcha|parcial" +
		"|em andamento|em progresso|em curso|fazendo|em desenvolvimento|em revisão|em execução|ativo|ativa|a decorrer" +
		"|in corso|in lavorazione|in esecuzione|iniziato|iniziata|attivo|attiva|in revisione|in sviluppo|parziale" +
		"|bezig|mee bezig|in uitvoering|in behandeling|actief|gestart|lopend" +
		"|i gang|igang|undervejs|påbegyndt|startet|aktiv|i arbejde|pågår|under arbeid|påbegynt|i arbeid|underveis|pågående|påbörjad|under arbete|kesken|työn alla|käynnissä|meneillään" +
		"|w toku|w trakcie|w realizacji|rozpoczęte|aktywne|robione|probíhá|v řešení|rozpracováno|folyamatban" +
		"|в работе|в процессе|выполняется|делается|начато|в разработке|на проверке|активно|идёт|у роботі|в роботі" +
		"|进行中|進行中|正在进行|处理中|處理中|开发中|開發中|在做|审核中|评审中|测试中|作業中|対応中|実施中|着手中|レビュー中|仕掛中|진행중|" +
		"진행 중|작업중|작업 중|검토중|검토 중|개발중" +
		"|devam ediyor|sürüyor|yapılıyor|çalışılıyor|đang làm|đang thực hiện|sedang dikerjakan|sedang berjalan|berlangsung|قيد التنفيذ|جاري|בתהליך|" +
		"בעבודה|प्रगति में|जारी|กำลังดำเนินการ|σε εξέλιξη|în lucru|în curs",
	Blocked: "blocked|block|on hold|onhold|hold|held|waiting|wait|waiting for input|awaiting input|awaiting approval|awaiting|waiting on|waiting for|" +
		"stuck|paused|suspended|stalled|impeded|blocked by|needs input|needs human|needs decision|needs info|needs manual|deferred until|frozen|" +
		"parked|🚫|⛔|🛑|🔒|⏸|🧱|needs clarification|needs confirmation|needs approval|needs attention|needs access|requires input|" +
		"requires approval|requires human|pending approval|pending input|pending decision" +
		"|wartet auf freigabe|en attente de validation|aguardando|aguardando aprovação|esperando aprobación|ожидает согласования|承認待ち|中断|中断中|승인 대기|等待审批|待审批" +
		"|blockiert|gesperrt|wartet|wartend|pausiert|angehalten|zurückgestellt|gestoppt" +
		"|bloqué|bloquée|bloqués|bloquées|bloque|en attente|en pause|suspendu|suspendue|à l'arrêt" +
		"|bloqueado|bloqueada|en espera|pausado|pausada|detenido|detenida|suspendido|esperando|em espera|parado|parada|suspenso|travado|impedido" +
		"|bloccato|bloccata|in attesa|in pausa|sospeso|sospesa|fermo" +
		"|geblokkeerd|wachtend|wacht|gepauzeerd|in de wacht" +
		"|blokeret|venter|på hold|sat på pause|blokkert|på vent|blockerad|väntar|pausad|vilande|estetty|odottaa|jumissa" +
		"|zablokowane|wstrzymane|czeka|zawieszone|zablokowany|blokováno|čeká|blokkolva|vár" +
		"|заблокировано|заблокирован|заблокирована|приостановлено|блокировано|на паузе|отложено|ждёт|ждет|заблоковано|призупинено" +
		"|阻塞|受阻|被阻塞|卡住|暂停|已暂停|搁置|等待|等待中|阻擋|擱置|暫停|ブロック|ブロック中|ブロックされた|保留|保留中|停止|停止中|待ち|차단|" +
		"차단됨|막힘|보류|보류중|보류 중|중단|중단됨" +
		"|engellendi|beklemede|durduruldu|bị chặn|tạm dừng|terblokir|terhambat|ditunda|محظور|متوقف|חסום|מושהה|अवरुद्ध|ติดขัด|μπλοκαρισμένο|blocat",
	Dropped: "cancelled|canceled|cancel|wontfix|won't fix|wont fix|won't do|wont do|dropped|abandoned|obsolete|skipped|skip|removed|deleted|archived|" +
		"duplicate|invalid|deprecated|superseded|descoped|out of scope|not planned|declined|n/a|na|not applicable|deferred|🗑|⏭" +
		"|übersprungen|nicht mehr nötig|ignoré|ignorée|omitido|omitida|rechazado|rechazada|пропущено|отклонено|已跳过|スキップ|건너뜀" +
		"|abgebrochen|verworfen|hinfällig|storniert|annulé|annulée|abandonné|abandonnée|cancelado|cancelada|descartado|descartada|abandonado|annullato|annullata|abbandonato|scartato" +
		"|geannuleerd|vervallen|annulleret|opgivet|avbrutt|kansellert|avbruten|inställd|peruttu|anulowane|porzucone|zrušeno|отменено|отменён|отменен|скасовано" +
		"|取消|已取消|废弃|已废弃|放弃|作废|中止|不要|廃止|キャンセル|취소|취소됨|폐기|iptal|iptal edildi|đã hủy|dibatalkan|ملغي|בוטל",
}

var wordTable = sync.OnceValue(func() map[string]Status {
	table := map[string]Status{}
	for status, list := range statusWords {
		for _, w := range strings.Split(list, "|") {
			table[w] = status
		}
	}
	return table
})

// statusOf tells what a word means, in any spelling and with what may follow it: "Done ✅", "blocked: needs the key",
// "In-Progress (50%)". rest is what followed. It is Unknown where the word is in no list, or two parts disagree.
func statusOf(s string) (status Status, rest string) {
	if box, after, ok := checkBox(s); ok && strings.TrimSpace(after) == "" {
		return box, ""
	}
	words, marks := splitMarks(s)
	byMark := markStatus(marks)
	if of, word, found := strings.Cut(words, "%"); found && strings.Trim(of, "0123456789 ") == "" && strings.TrimSpace(of) != "" && lookup(word) == Done {
		if words = word; strings.TrimSpace(of) != "100" {
			words = "in progress"
		}
	}
	head, rest := cutDetail(words)
	byWord := lookup(head)
	if byWord == Unknown && lookup(words) != Unknown {
		byWord, rest = lookup(words), ""
	}
	if on, found := waitingOn(words); byWord == Unknown && found {
		byWord, rest = Blocked, on
	}
	if byWord == Done && hedged(rest) {
		byWord = Unknown
	}
	switch {
	case words == "":
		return byMark, ""
	case byMark == Unknown, byMark == byWord:
		return byWord, rest
	}
	return Unknown, rest
}

// waitingOn reads a status that goes on with what it waits for: blocked_by_license, awaiting signature.
func waitingOn(s string) (what string, ok bool) {
	plain := plainWord(s)
	for _, start := range []string{"blocked by ", "blocked on ", "blocked pending ", "blocked ", "waiting for ", "waiting on ", "awaiting ",
		"bloqueado por ", "bloqueada por ", "bloqué par ", "bloquée par ", "blockiert durch ", "blockiert von ", "wartet auf ", "bloccato da "} {
		if rest, found := strings.CutPrefix(plain, start); found {
			return rest, true
		}
	}
	return "", false
}

func lookup(s string) Status {
	if status, ok := wordTable()[plainWord(s)]; ok {
		return status
	}
	return Unknown
}

// plainWord writes a word in small letters, with single blanks for dashes and underscores and camel case parted.
func plainWord(s string) string {
	var b strings.Builder
	var before rune
	for _, c := range strings.Trim(s, " \t\r\n.!*`\"'[](){}<>#") {
		switch {
		case c == '_' || c == '-' || c == '/' && unicode.ToLower(before) != 'n' || unicode.IsSpace(c):
			c = ' '
		case unicode.IsUpper(c) && unicode.IsLower(before):
			b.WriteByte(' ')
		case c == '’':
			c = '\''
		case unicode.Is(unicode.Cf, c):
			continue
		case 0xff01 <= c && c <= 0xff5e:
			c -= 0xff01 - '!'
		}
		before = c
		if c == ' ' && strings.HasSuffix(b.String(), " ") {
			continue
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return strings.TrimSpace(b.String())
}

// cutDetail parts a status from what explains it.
func cutDetail(s string) (head, rest string) {
	at := len(s)
	for _, sep := range []string{"(", ":", "：", "（", " - ", " – ", " — ", ";", ",", "\n"} {
		if i := strings.Index(s, sep); i > 0 && i < at {
			at = i
		}
	}
	return s[:at], strings.Trim(s[at:], " \t\r\n:：-–—;,()（）")
}

// splitMarks parts letters from emoji and check marks.
func splitMarks(s string) (words, marks string) {
	var w, m strings.Builder
	for _, c := range s {
		switch {
		case c == 0xfe0f || c == 0x200d || c == 0xfe0e:
		case c >= 0x2190 && c <= 0x2bff && c != '⁄' || c >= 0x1f000 && c <= 0x1faff:
			m.WriteRune(c)
		default:
			w.WriteRune(c)
		}
	}
	return strings.TrimSpace(w.String()), m.String()
}

// markStatus is what all the marks that have a meaning agree on.
func markStatus(marks string) Status {
	status := Unknown
	for _, c := range marks {
		s, ok := wordTable()[string(c)]
		if ok && status != Unknown && s != status {
			return Unknown
		}
		if ok {
			status = s
		}
	}
	return status
}

// checkBox reads the box or mark that a line of a list starts with: "- [x] text", "✅ text".
func checkBox(s string) (status Status, text string, ok bool) {
	s = strings.TrimSpace(s)
	s = strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(s, "- "), "* "))
	if len(s) >= 3 && s[0] == '[' && s[2] == ']' {
		switch s[1] {
		case 'x', 'X':
			return Done, strings.TrimSpace(s[3:]), true
		case ' ':
			return Open, strings.TrimSpace(s[3:]), true
		case '-', '~', '/', '>':
			return InProgress, strings.TrimSpace(s[3:]), true
		case '!':
			return Blocked, strings.TrimSpace(s[3:]), true
		}
		return Unknown, s, false
	}
	if rest, found := strings.CutPrefix(s, "[]"); found {
		return Open, strings.TrimSpace(rest), true
	}
	return markedLine(s)
}

func markedLine(s string) (Status, string, bool) {
	for i, c := range s {
		if i > 0 {
			break
		}
		words, marks := splitMarks(string(c))
		if words == "" && marks != "" {
			status := markStatus(marks)
			return status, strings.TrimSpace(strings.TrimLeft(s[len(string(c)):], "\ufe0f\ufe0e ")), status != Unknown
		}
	}
	return Unknown, s, false
}
