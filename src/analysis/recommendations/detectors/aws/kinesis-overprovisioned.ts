import { amountOf, numberOf, per, times } from '../../figures.ts';
import type { Detector } from '../../detector.ts';
import { spread } from '../../savings.ts';
import { sh } from '../../script.ts';
import { hasMeter, monthlyCost, onDemandOf, quantityOf, shortId } from '../../subject.ts';

/** Records of 25 KB that a shard takes in an hour: 1 MiB a second is 41.94 of them, counted as 40. */
const unitsPerShardHour = amountOf('144000');

/** Shards of which less than a fourth is used; twice the need stays. Catalogue 40. */
export const kinesisOverprovisioned: Detector = {
  type: 'aws_kinesis_overprovisioned',
  summary: 'Kinesis stream with several times the shards it needs',
  provider: 'aws',
  about: 'resource',
  detect(subject, { window }) {
    const usage = onDemandOf(subject, /^Storage-ShardHour/);
    const hours = quantityOf(subject, /^Storage-ShardHour/);
    const units = quantityOf(subject, /^PutRequestPayloadUnits/);
    // One shard cannot become fewer.
    // Without a line of what is written nothing is known of it.
    if (!hasMeter(subject, /^PutRequestPayloadUnits/)) return null;
    if (usage.length === 0 || hours <= amountOf('24') * BigInt(window.days)) return null;
    const used = per(units, times(hours, unitsPerShardHour));
    if (used * 4n >= amountOf('1')) return null;
    const cost = monthlyCost(usage, window);
    const oneShard = (cost * amountOf('24') * BigInt(window.days)) / hours;
    const needed = times(cost, used * 2n);
    return {
      title: `Reduce the shards of the stream ${subject.name}`,
      description:
        'Less than a quarter of the capacity of its shards is written to this stream. Halve the number of shards, ' +
        'several times if the busiest minutes allow it, or switch to on-demand mode.',
      savings: spread(usage, cost - (needed > oneShard ? needed : oneShard)),
      confidence: 'low',
      method: 'upper_bound',
      evidence: { used_percent: Math.round(numberOf(used) * 10_000) / 100 },
      scripts: () => [
        {
          kind: 'aws_cli',
          title: 'Show the number of open shards',
          script: sh`aws kinesis describe-stream-summary --region=${subject.region} --stream-name=${shortId(subject.nativeId)}`,
          reversible: true,
        },
      ],
    };
  },
};
