import { sumAmounts, type Amount } from '../../../../kit/money.ts';
import type { Context } from '../../detector.ts';
import { amountOf, larger, numberOf, percentOf, perMonth, times } from '../../figures.ts';
import { sh, type Script } from '../../script.ts';
import { shortId, type Subject, type Usage } from '../../subject.ts';

/** Performance of a gp3 volume. */
export interface Gp3 {
  readonly sizeGib: Amount;
  readonly iops: Amount;
  readonly throughputMibps: Amount;
}

/** Included in the price of a gp3 volume (EBS price page). */
export const included = { iops: amountOf('3000'), throughputMibps: amountOf('125') } as const;

/** Units of a usage counted by the month: GiB of a volume, operations a second. As the listing says; the bill counts a day of
 *  February for more of a month than one of March, which is off by up to a tenth. */
export function provisioned(usage: readonly Usage[], listed: number | undefined): Amount {
  if (listed !== undefined && usage.length > 0) return amountOf(String(listed));
  return sumAmounts(usage.map((each) => perMonth(each.quantity, each.days)));
}

/** The price of a gp3 GiB-month as the account pays it, or so many percent of another price where it has no gp3 there. */
export function gp3Price(
  { prices }: Context,
  subject: Subject,
  other: { price: Amount; percent: number },
): { price: Amount; isObserved: boolean } {
  const observed = prices.priceOf(subject, 'EBS:VolumeUsage.gp3');
  return observed === null
    ? { price: percentOf(other.price, other.percent), isObserved: false }
    : { price: observed, isObserved: true };
}

/** What a gp3 volume costs a month. Operations beyond 3000 cost 6 % of a GiB each, throughput beyond 125 MiB/s half a GiB a
 *  MiB/s: how AWS's Cloud Intelligence Dashboards reckon it. */
export function gp3Cost({ sizeGib, iops, throughputMibps }: Gp3, price: Amount): Amount {
  const operations = percentOf(larger(iops - included.iops, 0n), 6);
  const throughput = percentOf(larger(throughputMibps - included.throughputMibps, 0n), 50);
  return times(price, sizeGib + operations + throughput);
}

/** Makes a volume gp3 while it is in use. */
export function modifyToGp3(subject: Subject, { iops, throughputMibps }: Gp3): Script {
  const id = shortId(subject.nativeId);
  return {
    kind: 'aws_cli',
    title: 'Change the volume type while the volume stays in use',
    script: [
      sh`aws ec2 modify-volume --region=${subject.region} --volume-id=${id} --volume-type=gp3`,
      sh`--iops=${Math.ceil(numberOf(iops))} --throughput=${Math.ceil(numberOf(throughputMibps))}`,
    ].join(' '),
    reversible: true,
  };
}
