// Names of providers, for emails, reports and the console. Shared with the console, so it imports nothing.

/** A map, because bills name providers: one called `constructor` must not find a property of all objects. */
const names: ReadonlyMap<string, string> = new Map([
  ['aws', 'AWS'],
  ['azure', 'Azure'],
  ['gcp', 'Google Cloud'],
  ['focus', 'FOCUS'],
  ['oracle', 'Oracle Cloud'],
]);

/** Display name of a provider from its slug, ignoring case: `Google Cloud` for `gcp`; others are capitalized. */
export function providerName(slug: string): string {
  return names.get(slug.toLowerCase()) ?? slug.charAt(0).toUpperCase() + slug.slice(1);
}
