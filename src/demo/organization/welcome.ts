import type { DemoTenant } from './tenant.ts';
import { demoOrganization } from './tenant.ts';

/** Location of a running demo. */
export interface DemoPlace {
  /** URL of the server. */
  readonly address: string;
  readonly dataDir: string;
  /** Folder of the embedded database: the data folder or, as root, possibly another one; null for an external
   *  server. */
  readonly home: string | null;
}

/** The message shown once the sample is ready: address, credentials and two example queries.
 *  @param faults failed syncs, one line each */
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

/** Uses the host name localhost, because passkeys are bound to a host name and do not work with IP addresses. */
function inBrowsers(address: string): string {
  return address.replace(/^(https?):\/\/(?:127\.0\.0\.1|\[::1\])(?=:|$)/, '$1://localhost');
}
