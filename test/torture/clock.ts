import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Attack, Context } from './attack.ts';
import { Installation, newFolder, onInstallation, password } from './installation.ts';
import { RestatedBill } from './syncs.ts';

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
/** Jumps of the clock, in milliseconds: NTP corrections, suspended machines, wrong time zones, broken hardware clocks. */
const jumps = [
  0,
  -minuteMs,
  minuteMs,
  -60 * minuteMs,
  60 * minuteMs,
  -dayMs,
  dayMs,
  -45 * dayMs,
  45 * dayMs,
  400 * dayMs,
];

/** The clock of the server and its loader jumps while months are restated; the clock of the database does not. Debian's
 *  faketime would shift both, but is rarely installed. */
export const clock: Attack = async (context) => {
  const base = newFolder();
  const file = path.join(base, 'clock');
  writeFileSync(file, '0');
  const shift = path.join(import.meta.dirname, 'shifted-clock.ts');
  const env = { NODE_OPTIONS: `--import ${shift}`, TORTURE_CLOCK: file };
  await onInstallation(new Installation(context, env, base), async (site) => {
    await site.start();
    await site.register();
    const bill = new RestatedBill(context, site, { lines: 400 });
    await bill.connect();
    for (let round = 0; round === 0 || context.hasTime(); round++) await jump(context, { site, bill, file });
    writeFileSync(file, '0');
    await bill.restate();
    await bill.finish();
  });
};

interface Stage {
  readonly site: Installation;
  readonly bill: RestatedBill;
  readonly file: string;
}

async function jump({ findings, random, show }: Context, { site, bill, file }: Stage): Promise<void> {
  await bill.restate();
  await bill.watch(1_000 * random.next());
  const to = random.pick(jumps);
  show(`the clock is ${to / minuteMs} minutes off`);
  writeFileSync(file, String(to));
  // A restart on a shifted clock must work, too.
  if (random.next() < 0.3) {
    await site.stop();
    await site.start();
  }
  await bill.watch(500);
  await signIn(site);
  const begun = performance.now();
  await bill.finish();
  findings.measure('syncs on a clock that jumped', performance.now() - begun);
}

/** Signs in, and expects the token to work, whatever the clock was before. */
async function signIn(site: Installation): Promise<void> {
  const body = { email: 'plum@example.com', password };
  const { access_token: token } = await site.must<{ access_token: string }>('/auth/login', {
    method: 'POST',
    body,
    token: null,
  });
  await site.must('/auth/me', { token });
}
