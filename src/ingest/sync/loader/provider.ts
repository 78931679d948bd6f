/** Names under which the large providers appear in FOCUS exports, in lower case. */
const known: ReadonlyMap<string, string> = new Map(
  Object.entries({
    aws: 'aws',
    'amazon web services': 'aws',
    'amazon web services, inc.': 'aws',
    amazon: 'aws',
    microsoft: 'azure',
    'microsoft azure': 'azure',
    'microsoft corporation': 'azure',
    azure: 'azure',
    google: 'gcp',
    'google cloud': 'gcp',
    'google cloud platform': 'gcp',
    gcp: 'gcp',
    oci: 'oracle',
    'oracle cloud': 'oracle',
    'oracle cloud infrastructure': 'oracle',
    'oracle corporation': 'oracle',
  }),
);

/** Longer than every provider's name. Keys of indexes hold slugs beside other texts, and take 2,704 bytes in all. */
const maxCharacters = 100;

/** The slug of a provider as the API spells it: `aws`, `azure`, `gcp`, else its name in lower case with dashes. */
export function providerSlug(name: string): string {
  const folded = name.trim().toLowerCase();
  const words = folded
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '') // accents of Latin, Greek and Cyrillic letters
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-');
  // Some letters are many when they are normalized.
  const slug = [...words]
    .slice(0, maxCharacters)
    .join('')
    .replace(/^-+|-+$/g, '');
  return known.get(folded) ?? (slug === '' ? 'unknown' : slug);
}

/** Whether a provider's name is one of those under which a large provider appears in exports, as SQL.
 *  @param name SQL of the name */
export function isProvider(slug: string, name: string): string {
  const names = [...known].flatMap(([spelled, of]) => (of === slug ? [`'${spelled}'`] : []));
  return `lower(trim(${name})) IN (${names.join(', ')})`;
}
