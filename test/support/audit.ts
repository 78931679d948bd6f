// A check of `npm test`: fails for a known vulnerability of a locked package, development packages included, because the
// build bundles many of them. .ci/audit-exceptions.json accepts single advisories for a time, with the reason:
//   { "GHSA-xxxx-xxxx-xxxx": { "reason": "…", "expires": "2027-03-01" } }
// Without a network, or if the registry supports no audits, the check passes and says so.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

/** Timeout of a request to the registry, in milliseconds. */
const timeoutMs = 5000;

const exceptionsFile = process.argv[2] ?? path.resolve(import.meta.dirname, '../../.ci/audit-exceptions.json');

const exceptions = z
  .record(
    z.string().regex(/^GHSA(-[0-9a-z]{4}){3}$/),
    z.strictObject({ reason: z.string().min(20), expires: z.iso.date() }),
  )
  .parse(JSON.parse(fs.readFileSync(exceptionsFile, 'utf8')));

const report = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({
      via: z.array(
        z.union([z.string(), z.object({ name: z.string(), title: z.string(), url: z.string(), severity: z.string() })]),
      ),
    }),
  ),
});
const failure = z.object({ message: z.string() });

/** An advisory about a locked package. */
interface Advisory {
  readonly id: string;
  readonly text: string;
}

/** Requests an audit from the registry.
 *  @returns the advisories, or the reason why there is no audit */
async function findAdvisories(): Promise<Advisory[] | string> {
  const options = ['--json', '--package-lock-only', '--fetch-retries=0', `--fetch-timeout=${timeoutMs}`];
  const child = spawn('npm', ['audit', ...options], { stdio: ['ignore', 'pipe', 'ignore'], timeout: 3 * timeoutMs });
  const output = await text(child.stdout);
  const answer: unknown = output.trim() === '' ? {} : JSON.parse(output);
  const found = report.safeParse(answer);
  if (!found.success) return failure.safeParse(answer).data?.message ?? 'npm gave no answer';
  const all = Object.values(found.data.vulnerabilities).flatMap(({ via }) =>
    via.filter((one) => typeof one === 'object'),
  );
  const byId = new Map(
    all.map(({ name, title, url, severity }) => [path.basename(url), `${name}: ${title} (${severity}), ${url}`]),
  );
  return [...byId].map(([id, said]) => ({ id, text: said }));
}

const today = new Date().toISOString().slice(0, 10);
const faults = Object.entries(exceptions)
  .filter(([, { expires }]) => expires < today)
  .map(
    ([id, { expires }]) =>
      `The exception ${id} expired on ${expires}; update the package, or give a new reason and date`,
  );

const advisories = await findAdvisories();
if (typeof advisories === 'string') {
  console.log(`SKIPPED: the registry returned no audit (${advisories})`);
} else {
  const isExcepted = ({ id }: Advisory) => Object.hasOwn(exceptions, id);
  const ids = new Set(advisories.map(({ id }) => id));
  faults.push(...advisories.filter((one) => !isExcepted(one)).map((one) => one.text));
  faults.push(
    ...Object.keys(exceptions).flatMap((id) => (ids.has(id) ? [] : [`The exception ${id} is not used; remove it`])),
  );
  console.log(`Advisories: ${advisories.length}; accepted: ${advisories.filter(isExcepted).length}`);
}
for (const fault of faults) console.error(fault);
process.exit(faults.length > 0 ? 1 : 0);
