/** A text that must not be put into a script at all. */
export class Unquotable extends Error {}

/** How to carry out a recommendation. */
export interface Script {
  readonly kind: 'aws_cli' | 'azure_cli' | 'gcloud' | 'terraform' | 'shell';
  /** What it does, without names of resources. */
  readonly title: string;
  readonly script: string;
  /** Whether what it does can be undone, be it from a snapshot that the script takes first. */
  readonly reversible: boolean;
}

/** The clients of AWS and Azure put the content of a file or page in place of such a value. */
const readIn = /^(?:@|(?:fileb?|https?):\/\/)/i;

/** A command for a POSIX shell in which each value is one word that the shell does not look into. Values come from bills and
 *  inventories, where anybody may have named things: put them in through this alone, never into a comment. Write options as
 *  `--name=${value}`, so that no value is taken for an option.
 *  @throws {Unquotable} for a value with a NUL character, one that names a file to read, or one that stands alone and
 *  starts with `-` */
export function sh(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return fill(parts, values, (value, before) => {
    const text = plain(value);
    if (text.startsWith('-') && !before.endsWith('=')) throw new Unquotable(text);
    if (readIn.test(text)) throw new Unquotable(text);
    return `'${text.replaceAll("'", `'\\''`)}'`;
  });
}

/** A piece of Terraform in which each text is a quoted string without templates, and each number is itself.
 *  @throws {Unquotable} for a value with a NUL character */
export function hcl(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return fill(parts, values, (value) => (typeof value === 'number' ? String(value) : hclText(plain(value))));
}

function fill(
  parts: TemplateStringsArray,
  values: readonly (string | number)[],
  quote: (value: string | number, before: string) => string,
): string {
  return values
    .reduce<string>((text, value, index) => text + quote(value, text) + (parts[index + 1] ?? ''), parts[0] ?? '')
    .trim();
}

function plain(value: string | number): string {
  const text = String(value);
  if (text.includes('\0')) throw new Unquotable('NUL');
  return text;
}

function hclText(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('${', () => '$${')
    .replaceAll('%{', '%%{')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
    // Other control characters have no short form.
    .replaceAll(/\p{Cc}/gu, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `"${escaped}"`;
}
