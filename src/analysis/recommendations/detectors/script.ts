import { shortId, type Subject, type Window } from './subject.ts';

/** Thrown for text that must not be put into a script. */
export class Unquotable extends Error {}

/** A way to carry out a recommendation. */
export interface Script {
  readonly kind: 'aws_cli' | 'azure_cli' | 'gcloud' | 'terraform' | 'shell';
  /** What it does, without resource names. */
  readonly title: string;
  readonly script: string;
  /** Whether its effect can be undone, for example from a snapshot that the script takes first. */
  readonly reversible: boolean;
}

/** Values that the AWS and Azure CLIs replace with the content of a file or URL. */
const readIn = /^(?:@|(?:fileb?|https?):\/\/)/i;

/** Builds a POSIX shell command in which each value is a single quoted word. Values come from bills and inventories, so
 *  their names are not trusted: insert them only with this function, never into a comment. Write options as
 *  `--name=${value}`, so that no value is parsed as an option.
 *  @throws {Unquotable} for a value with a NUL character, one that names a file to read, or one that is a separate word
 *    and starts with `-` */
export function sh(parts: TemplateStringsArray, ...values: readonly (string | number)[]): string {
  return fill(parts, values, (value, before) => {
    const text = plain(value);
    if (text.startsWith('-') && !before.endsWith('=')) throw new Unquotable(text);
    if (readIn.test(text)) throw new Unquotable(text);
    return `'${text.replaceAll("'", `'\\''`)}'`;
  });
}

/** Builds Terraform code in which each text is a quoted string without templates, and numbers stay as they are.
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

/** The parts of a finding that scripts need. */
interface Scripted {
  readonly description: string;
  readonly scripts: () => readonly Script[];
}

/** Returns the scripts of a finding. If there is nothing to execute, or a name cannot be quoted safely, returns a script
 *  that shows the facts read-only and prints what to do. Never empty. */
export function scriptsFor(finding: Scripted, subject: Subject, window: Window): readonly Script[] {
  const scripts = unlessUnquotable(() => finding.scripts()) ?? [];
  return scripts.length > 0 ? scripts : [factsScript(finding, subject, window)];
}

function factsScript({ description }: Scripted, subject: Subject, window: Window): Script {
  const { kind, command } = lookup(subject, window);
  // The description can contain names; it starts with a word of ours, so it is never parsed as an option or a file.
  const advice = sh`printf '%s\\n' ${description.replaceAll('\0', ' ')}`;
  const show = unlessUnquotable(command);
  return {
    kind,
    title: show ? 'Show the facts and what to do' : 'Show what to do',
    script: show ? `${show}\n${advice}` : advice,
    reversible: true,
  };
}

/** Returns the command that shows a subject at its provider; null if there is none. */
function lookup(subject: Subject, window: Window): { kind: Script['kind']; command: () => string | null } {
  switch (subject.provider) {
    case 'aws':
      return { kind: 'aws_cli', command: () => awsLookup(subject, window) };
    case 'azure':
      return { kind: 'azure_cli', command: () => azureLookup(subject) };
    case 'gcp':
      return { kind: 'gcloud', command: () => gcpLookup(subject) };
    default:
      return { kind: 'shell', command: () => null };
  }
}

function awsLookup({ about, nativeId, region, commitmentType }: Subject, window: Window): string | null {
  if (/:savingsplan\//.test(nativeId) || /savings plan/i.test(commitmentType ?? ''))
    return sh`aws savingsplans describe-savings-plans --savings-plan-ids=${shortId(nativeId)}`;
  if (about === 'resource' && nativeId.startsWith('arn:'))
    return sh`aws resourcegroupstaggingapi get-resources --region=${region} --resource-arn-list=${nativeId}`;
  const days = `Start=${window.start},End=${window.end}`;
  if (about === 'commitment') return sh`aws ce get-reservation-utilization --time-period=${days} --granularity=MONTHLY`;
  const filter = JSON.stringify({ Dimensions: { Key: 'REGION', Values: [region] } });
  return sh`aws ce get-cost-and-usage --time-period=${days} --granularity=MONTHLY --metrics=UnblendedCost --group-by=Type=DIMENSION,Key=USAGE_TYPE --filter=${filter}`;
}

function azureLookup({ about, nativeId, subAccount }: Subject): string | null {
  if (about === 'commitment' && /savingsplan/i.test(nativeId))
    return sh`az rest --method=get --url='https://management.azure.com/providers/Microsoft.BillingBenefits/savingsPlans?api-version=2022-11-01'`;
  if (about === 'commitment') return sh`az reservations reservation-order list`;
  if (nativeId.startsWith('/subscriptions/')) return sh`az resource show --ids=${nativeId}`;
  return subAccount === '' ? null : sh`az account show --subscription=${subAccount}`;
}

function gcpLookup({ about, nativeId, subAccount }: Subject): string | null {
  if (subAccount === '') return null;
  if (about === 'commitment') return sh`gcloud compute commitments list --project=${subAccount}`;
  if (about === 'scope') return sh`gcloud billing projects describe ${subAccount}`;
  return sh`gcloud asset search-all-resources --scope=${`projects/${subAccount}`} --query=${`name:${shortId(nativeId)}`}`;
}

function unlessUnquotable<Result>(write: () => Result): Result | null {
  try {
    return write();
  } catch (error) {
    if (error instanceof Unquotable) return null;
    throw error;
  }
}
