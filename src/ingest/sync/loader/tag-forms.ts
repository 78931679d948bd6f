import { UnreadableTags } from './refusal.ts';

// The forms in which bills have tags: FOCUS's JSON object, and those of other exports, with a word before the text.

/** The word that says how a text of tags is to be read, and what follows. */
const form = /^(cur|gcp):/;

/** Tags as they stand in the file, without the word before them. */
export function withoutForm(raw: string): string {
  return raw.replace(form, '');
}

/** A charge's tags by key as the file has them.
 *  @throws {UnreadableTags} when the text is no JSON object, nor a list of keys and values */
export function parseTags(raw: string): Record<string, unknown> {
  const [, word] = form.exec(raw) ?? [];
  const parsed = parse(raw);
  if (word === 'cur') return fromReport(parsed);
  if (word === 'gcp') return strongest(raw, Object.values(parsed));
  return Array.isArray(parsed) ? strongest(raw, [parsed]) : parsed;
}

function parse(raw: string): Record<string, unknown> {
  const text = withoutForm(raw).trimStart();
  try {
    // Some exports leave the braces out.
    return JSON.parse(/^[{[]/.test(text) ? text : `{${text}}`);
  } catch (error) {
    throw new UnreadableTags(raw, { cause: error });
  }
}

/** A Cost and Usage Report 2.0: tags of users with `user_` before the key, and cost categories beside them. */
function fromReport({
  resource_tags: tags,
  cost_category: categories,
}: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries([
    ...Object.entries(tags ?? {}).map(([key, value]) => [key.replace(/^user_/, ''), value]),
    ...Object.entries(categories ?? {}).map(([key, value]) => [costCategoryKey(key), value]),
  ]);
}

/** The key under which an AWS cost category stands among the tags, where no tag can be meant. */
export function costCategoryKey(name: string): string {
  return `cost_category:${name}`;
}

/** Google's lists of keys and values: of a key that several have, the first list's value. */
function strongest(raw: string, lists: readonly unknown[]): Record<string, unknown> {
  const tags = new Map<string, [string, unknown]>();
  for (const entry of lists.flatMap((list) => (Array.isArray(list) ? list : []))) {
    const { key, value } = folded(entry);
    if (typeof key !== 'string') throw new UnreadableTags(raw);
    if (!tags.has(key.toLowerCase())) tags.set(key.toLowerCase(), [key, value]);
  }
  return Object.fromEntries(tags.values());
}

function folded(entry: object | null): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entry ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
}
