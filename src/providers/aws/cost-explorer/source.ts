import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { CostExplorerClient } from '@aws-sdk/client-cost-explorer';
import { DescribeOrganizationCommand, OrganizationsClient } from '@aws-sdk/client-organizations';
import { z } from 'zod';
import { fix, invalid } from '../../../kit/errors/errors.ts';
import { instantOf, type Month, monthAt, parseDay, parseMonth } from '../../../kit/time/period.ts';
import { askedMonth, type CostSource, halfDay, type SourceListing } from '../../contract.ts';
import { AwsFault } from '../faults.ts';
import type { AwsSession } from '../session.ts';
import { writeMonth } from './month-file.ts';
import { monthsAt, monthToken } from './months.ts';
import { overviewOf } from './overview.ts';

const memoShape = z.object({
  /** Half-day of the last query. */
  asked: z.string(),
  account: z.string(),
  payer: z.string(),
  months: z.record(
    z.string(),
    z.object({ recordTypes: z.array(z.string()), effectiveBy: z.enum(['AmortizedCost', 'NetAmortizedCost']) }),
  ),
});
type Memo = z.infer<typeof memoShape>;

/** Warning for an account without a Data Export. */
export const lacking =
  'No resources, tags, regions or commitments: Cost Explorer has costs by day, account and service only, for 14 months, and AWS bills ' +
  'USD 0.01 per request (about ten per day); connect a Data Export (settings.bucket) to have them.';

/** Reads costs without a Data Export: by day, account and service, one FOCUS file per month. Requests cost money, so a month is
 *  queried again only when AWS may have changed it, and the current one at most twice per day. */
export function costExplorerSource(session: AwsSession, clock: () => Date = () => new Date()): CostSource {
  const client = session.client(CostExplorerClient);
  let known: Memo | null = null;
  return {
    isInPlace: false,
    async list(memo, signal) {
      const now = clock();
      // Free, and verifies that the account still grants access.
      const account = await session.signIn(signal);
      const before = memoShape.safeParse(memo).data ?? null;
      known =
        before?.account === account && before.asked === halfDay(now)
          ? before
          : await ask(session, client, { account, before, now }, signal);
      return listingOf(known, now);
    },
    async fetch(file, folder, signal) {
      const month = parseMonth(file.month ?? '');
      const overview = month === null ? undefined : known?.months[month];
      if (!known || !month || !overview)
        throw invalid`Month ${file.month} was not yet requested from Cost Explorer${fix}sync again`;
      const target = path.join(folder, `${randomUUID()}.csv`);
      await writeMonth(client, { month, overview, payer: known.payer, now: clock() }, target, signal);
      return target;
    },
  };
}

async function ask(
  session: AwsSession,
  client: CostExplorerClient,
  { account, before, now }: { account: string; before: Memo | null; now: Date },
  signal: AbortSignal,
): Promise<Memo> {
  const months = monthsAt(now);
  const old = before?.account === account ? before : null;
  const first = months.find((month) => !old || monthToken(month, now) !== 'closed' || !isKnown(old, month));
  const span = { first: first ?? monthAt(now), last: monthAt(now) };
  const payer = await payerOf(session, account, signal);
  const overviews = await overviewOf(client, span, now, signal);
  const kept = Object.entries(old?.months ?? {}).filter(
    ([month]) => month < span.first && months.some((each) => each === month),
  );
  return memoShape.parse({ asked: halfDay(now), account, payer, months: Object.fromEntries([...kept, ...overviews]) });
}

/** Returns whether a month was queried after it was closed. */
function isKnown(memo: Memo, month: Month): boolean {
  const day = parseDay(memo.asked.slice(0, 10));
  if (day === null) return false;
  const asked = instantOf(day);
  return monthsAt(asked).includes(month) && monthToken(month, asked) === 'closed';
}

function listingOf(memo: Memo, now: Date): SourceListing {
  const files = Object.keys(memo.months)
    .sort()
    .map((month) => askedMonth(`cost-explorer/${month}`, { month, token: monthToken(month, now) }));
  return { files, memo, warnings: [lacking], isRecentOnly: true };
}

/** Returns the payer: the organization's management account. An account outside an organization, or without permission to look
 *  it up, counts as its own payer. */
async function payerOf(session: AwsSession, account: string, signal: AbortSignal): Promise<string> {
  const client = session.client(OrganizationsClient);
  try {
    const { Organization } = await client.send(new DescribeOrganizationCommand({}), { abortSignal: signal });
    return Organization?.MasterAccountId ?? account;
  } catch (error) {
    if (error instanceof AwsFault) return account;
    throw error;
  }
}
