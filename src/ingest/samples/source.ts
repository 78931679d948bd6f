import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseMonth, type Day } from '../../kit/time/period.ts';
import { askedMonth, type CostSource } from '../../providers/contract.ts';
import { deliveredOn, sampleMonths } from '../../sample/bill/bill.ts';
import type { SampleProvider } from '../../sample/bill/line-item.ts';
import { sampleClouds } from '../../sample/clouds.ts';
import { awsColumns } from '../../sample/files/columns.ts';
import { csvOf } from '../../sample/files/csv.ts';
import { focusRows } from '../../sample/files/focus-row.ts';
import { listingOf } from '../../sample/inventory/listing.ts';
import type { ListInventory } from '../sync/account.ts';

/** Reads sample bills, which are computed month by month as of a day: there is no file that another server would need.
 *  @param currency of the bills: the organization's, so that they need no exchange rates */
export function sampleSource(
  provider: SampleProvider,
  { today, currency }: { today: Day; currency: string },
): CostSource {
  const cloud = { ...sampleClouds[provider], currency };
  const months = sampleMonths(today);
  return {
    isInPlace: false,
    async list() {
      const files = months.map((month) =>
        askedMonth(`${month}.csv`, { month, token: `${deliveredOn(month, today)} ${currency}` }),
      );
      return { files, memo: null, warnings: [], isWhole: true };
    },
    async fetch({ key, month: text }, folder) {
      const month = parseMonth(text ?? '');
      if (!month) throw new Error(`"${key}" was not listed`);
      const local = path.join(folder, `${randomUUID()}.csv`);
      await writeFile(
        local,
        csvOf(
          awsColumns,
          focusRows(cloud, month, today, (day) => `${day}T00:00:00Z`),
        ),
      );
      return local;
    },
  };
}

/** Lists the resources of a sample cloud. */
export function sampleInventory(provider: SampleProvider, today: Day): ListInventory {
  return async (folder) => {
    const items = listingOf(sampleClouds[provider], today);
    const file = path.join(folder, 'inventory.jsonl');
    await writeFile(
      file,
      items.map((item) => `${JSON.stringify({ ...item, aliases: [], namedBy: 'sample' })}\n`).join(''),
    );
    return { path: file, items: items.length, warnings: [], unread: [] };
  };
}
