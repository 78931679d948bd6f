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

/** Programs by what stands in their user agent. Those that also name another one come first: Edge names Chrome, Chrome names
 *  Safari. */
const programs: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*Safari\//, 'Safari'],
  [/^curl\//i, 'curl'],
  [/^Terraform/i, 'Terraform'],
  [/^python-requests\/|^Python|^aiohttp/i, 'Python'],
  [/^Go-http-client\//, 'Go'],
  [/^node$|^undici$|^axios\//i, 'Node.js'],
  [/^PostmanRuntime\//, 'Postman'],
];

const systems: readonly (readonly [mark: RegExp, name: string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b|\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** What a user agent is, for people: `Firefox on Linux`, `curl`; one that is not known by its own first word. */
export function agentName(userAgent: string): string {
  const nameIn = (list: typeof programs) => list.find(([mark]) => mark.test(userAgent))?.[1];
  const system = nameIn(systems);
  const program = nameIn(programs) ?? (system ? 'Browser' : userAgent.split(/[\s/]/)[0]);
  if (!program) return 'Unknown program';
  return system ? `${program} on ${system}` : program;
}

const names = new Intl.DisplayNames('en', { type: 'currency' });

/** Every currency that there is, with its name: `EUR · Euro`. */
export function currencyChoices(): { readonly value: string; readonly label: string }[] {
  return Intl.supportedValuesOf('currency').map((value) => ({
    value,
    label: `${value} · ${names.of(value) ?? value}`,
  }));
}
