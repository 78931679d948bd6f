import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { addDays, parseMonth, type Day } from '../../kit/time/period.ts';
import { askedMonth, type CostSource } from '../../providers/contract.ts';
import { deliveredOn, sampleMonths } from '../../sample/bill/bill.ts';
import type { Cloud } from '../../sample/bill/cloud.ts';
import type { SampleProvider } from '../../sample/bill/line-item.ts';
import { sampleClouds } from '../../sample/clouds.ts';
import { awsColumns } from '../../sample/files/columns.ts';
import { csvOf } from '../../sample/files/csv.ts';
import { focusRows } from '../../sample/files/focus-row.ts';
import { listingOf } from '../../sample/inventory/listing.ts';
import type { ListInventory } from '../sync/inventory.ts';

/** Sample data of an account. */
export interface Sample {
  readonly provider: SampleProvider;
  /** Currency of the bills: the organization's, so that they need no exchange rates. */
  readonly currency: string;
  /** Day on which it was loaded. */
  readonly since: Day;
}

/** Reads sample bills, which are computed month by month as of a day: there is no file that another server would need. */
export function sampleSource({ provider, currency, since }: Sample, today: Day): CostSource {
  const cloud: Cloud = {
    ...sampleClouds[provider],
    currency,
    ...(provider === 'aws' && { spike: spikeBefore(since) }),
  };
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

/** A spike that is new on the day, so that an anomaly is open. */
function spikeBefore(day: Day): NonNullable<Cloud['spike']> {
  return { meter: 'nat-prod bytes', start: addDays(day, -5), end: addDays(day, -4), factor: 14 };
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
