/** A role to grant, where a provider has roles. */
export interface GuideRole {
  readonly role: string;
  /** What it is granted on. */
  readonly scope: string;
  readonly why: string;
}

/** A command that is ready to be pasted into a shell. */
export interface GuideCommand {
  readonly title: string;
  readonly command: string;
}

/** What to do at a provider before an account is connected. Everything it asks for only reads. */
export interface Guide {
  /** What to do, in order. */
  readonly steps: readonly string[];
  /** The minimal policy, where the provider has policies. */
  readonly policy: object | null;
  /** Who may assume a role, where the provider has such policies. */
  readonly trustPolicy: object | null;
  readonly roles: readonly GuideRole[];
  readonly commands: readonly GuideCommand[];
  /** The body that connects the account, in REST's spelling. */
  readonly request: object;
}

/** A text as one word of a POSIX shell, whatever it holds. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** A command whose words are separate, whatever they hold. */
export function shellCommand(...words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}
