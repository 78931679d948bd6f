import type { Amount } from '../../../../kit/money.ts';
import { larger, percentOf, perMonth, times } from '../../figures.ts';
import type { Context, Method, Saving } from '../../detector.ts';
import { shareOf } from '../../savings.ts';
import type { Subject, Usage } from '../../subject.ts';
import type { InstanceType } from './instance-type.ts';

/** What the same hours cost on another family: by the account's own price for it in the region, else by a documented share.
 *  @param percent what is saved where no price was observed */
export function changeFamily(
  subject: Subject,
  usage: Usage,
  { context, from, family, percent }: { context: Context; from: InstanceType; family: string; percent: number },
): { savings: Saving[]; method: Method; target: string } {
  const target = `${from.prefix.includes('db.') ? 'db.' : ''}${family}.${from.size}`;
  const price = context.prices.priceOf(subject, `${from.prefix}${family}.${from.size}`);
  if (price === null) return { savings: shareOf([usage], percent, context.window), method: 'factor', target };
  const amount = perMonth(usage.cost - times(price, usage.quantity), context.window.days);
  return { savings: amount > 0n ? [{ usage, amount }] : [], method: 'observed', target };
}

/** A GiB of gp3 a month: by the account's own price in the region, else by a share of another volume type's.
 *  @param ofType gp3's price in percent of that of the type in use, by AWS's list prices in us-east-1 */
export function gp3Price(subject: Subject, context: Context, unit: Amount, ofType: number): { price: Amount; method: Method } {
  const observed = context.prices.priceOf(subject, 'EBS:VolumeUsage.gp3');
  return observed === null ? { price: percentOf(unit, ofType), method: 'factor' } : { price: observed, method: 'observed' };
}

const perIops = 6;
const perMibps = 50;

/** What a gp3 volume costs a month. Its price holds 3,000 operations and 125 MiB a second; each more operation costs about
 *  6 % of a GiB and each more MiB a second half of one, as the Cloud Intelligence Dashboards reckon.
 *  @param price of a GiB */
export function gp3Cost(price: Amount, volume: { sizeGib: Amount; iops: number; mibps: number }): Amount {
  const iops = BigInt(Math.max(0, Math.round(volume.iops) - 3000));
  const mibps = BigInt(Math.max(0, Math.round(volume.mibps) - 125));
  const storage = times(volume.sizeGib, price);
  return larger(0n, storage + percentOf(price, perIops) * iops + percentOf(price, perMibps) * mibps);
}
