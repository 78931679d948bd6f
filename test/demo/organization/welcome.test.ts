import { expect, it } from 'vitest';
import { openTenant } from '../../../src/demo/organization/tenant.ts';
import { welcome } from '../../../src/demo/organization/welcome.ts';
import { tenancyWorld } from '../../tenancy/support.ts';

/** The welcome text of the demo of a server at this address. */
async function saidOf(address: string): Promise<string> {
  const { deps } = await tenancyWorld();
  return welcome({ address, dataDir: '/data', home: null }, await openTenant(deps), []);
}

it.each([
  ['http://127.0.0.1:3000', 'http://localhost:3000'],
  ['https://[::1]:8443', 'https://localhost:8443'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['http://127.0.0.100:3000', 'http://127.0.0.100:3000'],
  ['http://10.0.0.7:3000', 'http://10.0.0.7:3000'],
])('prints links to the console of a demo at %s as %s, the console first', async (address, shown) => {
  const said = await saidOf(address);
  const addresses = said.match(/https?:\/\/[^\s"]*/g) ?? [];
  expect(addresses[0]).toBe(`${shown}/`);
  expect(said).toContain(`  Console        ${shown}/\n                 Sign in with:\n  Email `);
  expect(addresses.filter((each) => !each.startsWith(`${shown}/`))).toEqual([]);
});
