// Package render turns a document, and what is known about it, into bytes for people and programs: text for a
// terminal, Markdown for a host, JSON for a program.
//
// A page is built once, as sections of phrases, and printed by one printer per format. A phrase keeps the template's
// words apart from what was told to the template, and a printer passes the latter through the one function that makes
// it inert for its format: Inert and InertLine for a terminal, inline, codeSpan, cell and fence for Markdown.
package render
