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
