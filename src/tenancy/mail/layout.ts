import type { Mail } from '../../kit/mail/mail.ts';
import { page } from './page.ts';

/** What a mail says, before it is text and HTML. Nothing in it is HTML. */
export interface Content {
  readonly to: string;
  /** Also its heading. */
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** What to do, and the address that it is done at. */
  readonly action?: { readonly label: string; readonly url: string };
  /** Said smaller, below the action. */
  readonly notes: readonly string[];
  /** Why this person gets it. */
  readonly reason: string;
}

const columns = 72;

/** Writes a mail in both forms.
 *  @param publicUrl of the server that writes */
export function layOut(content: Content, publicUrl: string): Mail {
  const { to, subject } = content;
  return { to, subject, text: plainText(content, publicUrl), html: page(content, publicUrl) };
}

/** A name that people gave, put where mail programs turn what looks like an address into a link: an invisible space after
 *  each dot, colon and slash keeps a name such as `Win at evil.example` from becoming one. */
export function unlinked(name: string): string {
  return name.replace(/([.:/@])(?=\S)/g, '$1\u200b');
}

/** An instant as people read it: `21 November 2026, 10:00 UTC`. */
export function instant(date: Date): string {
  const options = { dateStyle: 'long', timeStyle: 'short', hourCycle: 'h23', timeZone: 'UTC' } as const;
  return `${new Intl.DateTimeFormat('en-GB', options).format(date).replace(' at ', ', ')} UTC`;
}

function plainText({ subject, paragraphs, action, notes, reason }: Content, publicUrl: string): string {
  const link = action ? [`${action.label}:\n${action.url}`] : [];
  const blocks = [wrap(subject), ...paragraphs.map(wrap), ...link, ...notes.map(wrap)];
  // Mail programs know "-- " alone on a line as the beginning of a signature.
  return `${blocks.join('\n\n')}\n\n-- \nCostkeep, ${publicUrl}\n${wrap(reason)}\n`;
}

/** Breaks lines between words; a word that is longer than a line stays whole. */
function wrap(text: string): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}
