import { escapeHtml } from '../../kit/text/html.ts';

// Mail clients turn names such as `Win at evil.example` into links. A zero-width space breaks the link. In HTML it cannot be
// selected, so that copied names are as typed.

const mark = '\u200b';

/** Marks user-chosen text so that mail clients make no link of it. */
export function unlinked(name: string): string {
  return name.replace(/([.:@])(?=\S)/g, `$1${mark}`);
}

/** Prepares our own text with user-chosen names in it for an email: like `unlinked`, but keeps figures, dates and
 *  times intact. */
export function inert(text: string): string {
  return visible(text)
    .replace(/\s+/g, ' ')
    .replace(/(?<=\d) %/g, '\u00a0%')
    .replace(/([.:@])(?=\S)(?!(?<=\d.)\d)/g, `$1${mark}`);
}

/** Removes invisible characters, which could reverse a line or hide a word within another. */
export function visible(text: string): string {
  return text.replace(/[^\P{Cc}\s]|[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, '');
}

/** Renders marked text as escaped HTML. */
export function htmlOf(text: string): string {
  return escapeHtml(text).replaceAll(mark, `<span style="-webkit-user-select: none; user-select: none">${mark}</span>`);
}

/** Returns marked text without marks, for places in which clients make no links. */
export function unmarked(text: string): string {
  return text.replaceAll(mark, '');
}
