import type { DemoTenant } from './tenant.ts';
import { demoOrganization } from './tenant.ts';

/** Where a demo is. */
export interface DemoPlace {
  /** Where the server listens. */
  readonly address: string;
  readonly dataDir: string;
  /** Folder of the embedded database, which is the data folder or, for root, may be another; null for a server's. */
  readonly home: string | null;
}

/** What is said once the sample is ready: where it is, how to log in, and two questions to ask.
 *  @param faults syncs that failed, one line each */
export function welcome(place: DemoPlace, { email, password }: DemoTenant, faults: readonly string[]): string {
  const { dataDir, home } = place;
  const address = inBrowsers(place.address);
  const login = JSON.stringify({ email, password });
  const token = `node -pe "JSON.parse(require('fs').readFileSync(0)).access_token"`;
  return [
    '',
    ...faults,
    `${demoOrganization.name} is ready: three clouds, thirteen months, up to today.`,
    '',
    `  Console        ${address}/`,
    `                 Sign in with:`,
    `  Email          ${email}`,
    `  Password       ${password}`,
    `  API reference  ${address}/docs`,
    `  GraphiQL       ${address}/graphql`,
    `  Data           ${dataDir}${home && home !== dataDir ? `; its database: ${home}` : ''}`,
    '',
    'Query the cost of each service, and the monthly trend:',
    '',
    `  TOKEN=$(curl -s ${address}/api/v1/auth/login -H 'Content-Type: application/json' -d '${login}' | ${token})`,
    `  curl -s ${address}/api/v1/costs/by-service -H "Authorization: Bearer $TOKEN"`,
    `  curl -s "${address}/api/v1/costs/trend?provider=aws" -H "Authorization: Bearer $TOKEN"`,
    '',
    'Press Ctrl-C to stop. The data is kept for the next start.',
  ].join('\n');
}

/** This machine by its name: passkeys are bound to a host name, and an address is none. */
function inBrowsers(address: string): string {
  return address.replace(/^(https?):\/\/(?:127\.0\.0\.1|\[::1\])(?=:|$)/, '$1://localhost');
}
