const providers: Readonly<Record<string, string>> = {
  aws: 'AWS',
  azure: 'Azure',
  gcp: 'Google Cloud',
  focus: 'FOCUS',
};

/** A provider as people write it: `aws`, `AWS` → `AWS`, `gcp` → `Google Cloud`; others with a capital. */
export function providerName(slug: string): string {
  return providers[slug.toLowerCase()] ?? slug.charAt(0).toUpperCase() + slug.slice(1);
}

/** Words of an enum for people: `SAVINGS_PLAN` → `Savings plan`. */
export function words(value: string): string {
  const text = value.toLowerCase().replaceAll('_', ' ');
  const known = text.replaceAll(/\b(api|csv|xlsx|pdf|json|totp|aws|gcp|2fa)\b/g, (word) => word.toUpperCase());
  return known.charAt(0).toUpperCase() + known.slice(1);
}

/** A region as it is shown: the bill's own word, or what its absence means. */
export function regionName(region: string | null): string {
  return region === null || region === '' ? 'No region' : region;
}
