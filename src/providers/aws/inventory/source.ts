import { DescribeRegionsCommand, EC2Client } from '@aws-sdk/client-ec2';
import { Limiter, mapConcurrently } from '../../../kit/process/limiter.ts';
import type { InventoryItem, InventorySource, KeepItems } from '../../contract.ts';
import type { AwsSession } from '../session.ts';
import { allPages, type Place } from './asking.ts';
import { type Explorer, findExplorer } from './explorer.ts';
import { type Ledger, listIn, openLedger } from './ledger.ts';
import { listRegion } from './region.ts';
import { planList, savingsPlanItem } from './savings-plans.ts';

/** Regions listed concurrently: AWS limits an account's calls per region. */
const parallel = 4;

/** Lists the inventory of an AWS account: resources of every region from Resource Explorer, or without an index from the
 *  tagging API, and those that EC2, RDS and the services with commitments describe. Reads only metadata: nothing that returns a
 *  function's environment, a task definition or an instance's user data.
 *  @param region the account's own, used if it may not list regions */
export function awsInventory(session: AwsSession, region: string | null): InventorySource {
  return {
    async list(keep, signal) {
      const ledger = openLedger();
      const now = new Date();
      const stop = new AbortController();
      const all = AbortSignal.any([signal, stop.signal]);
      const place = { partition: session.partition.id, account: await session.accountId(all) };
      // Only one page is written at a time, whichever region it comes from.
      const writer = new Limiter({ limit: 1 });
      const keepInTurn: KeepItems = async (items, list) => {
        if (items.length > 0) await writer.run(() => keep(items, list), { signal: all });
      };
      const plans = await listSavingsPlans(session, ledger, { now, signal: all });
      const listed = new Set(plans.map(({ nativeId }) => nativeId));
      await keepInTurn(plans, listIn(session.partition.mainRegion, planList.list));
      const explorer = await findExplorer(session, ledger, all);
      const regions = await readRegions(session, ledger, { region, signal: all });
      reportUncovered(ledger, explorer, regions);
      const each = (name: string) => {
        const at: Place = { ...place, region: name };
        return listRegion({ session, ledger, explorer, now, place: at, signal: all, listed, keep: keepInTurn });
      };
      try {
        await mapConcurrently([...(explorer.viewOf('global') ? ['global'] : []), ...regions], parallel, each);
      } finally {
        stop.abort();
      }
      return { warnings: ledger.warnings(), unread: ledger.unread() };
    },
  };
}

async function listSavingsPlans(
  session: AwsSession,
  ledger: Ledger,
  { now, signal }: { now: Date; signal: AbortSignal },
): Promise<InventoryItem[]> {
  const home = session.partition.mainRegion;
  const plans = (await ledger.read(planList, home, () => allPages({ session, signal }, planList))) ?? [];
  return plans.flatMap((plan) => savingsPlanItem(plan, now) ?? []);
}

/** Returns the account's enabled regions; the partition's main one and the account's own if it may not list them. */
async function readRegions(
  session: AwsSession,
  ledger: Ledger,
  { region, signal }: { region: string | null; signal: AbortSignal },
): Promise<string[]> {
  const home = session.partition.mainRegion;
  const client = session.client(EC2Client, region ?? home);
  const known = [...new Set([home, region ?? home])];
  const hides = `(?!(${[...known, 'global'].join('|')})/).+`;
  const answer = await ledger.read({ label: 'regions other than the main one', hides }, region ?? home, () =>
    client.send(new DescribeRegionsCommand({ AllRegions: false }), { abortSignal: signal }),
  );
  const on = (answer?.Regions ?? []).filter(({ OptInStatus }) => OptInStatus !== 'not-opted-in');
  const names = on.flatMap(({ RegionName }) => RegionName ?? []);
  return names.length > 0 ? names.toSorted() : known;
}

function reportUncovered(ledger: Ledger, explorer: Explorer, regions: readonly string[]): void {
  const uncovered = regions.filter((region) => explorer.viewOf(region) === null);
  if (uncovered.length === 0) return;
  const where = uncovered.length === regions.length ? 'any region' : uncovered.join(', ');
  ledger.note(
    `Resource Explorer has no index or view for ${where}: resources there are listed if they have tags, or are of EC2 or RDS. ` +
      'Turn on Resource Explorer with an aggregator index to list all resources.',
  );
}
