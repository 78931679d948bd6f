import { detectorsOf, irreversible, reversible } from '../detector.ts';
import { amountOf, larger, numberOf, per, percentOf, perMonth, times } from '../figures.ts';
import { officeHoursSaving } from '../nonproduction.ts';
import { sh } from '../script.ts';
import {
  ageInDays,
  hasMeter,
  monthlyCost,
  onDemandOf,
  quantityOf,
  shareOf,
  spread,
  unitsOf,
  usageOf,
  wholeOf,
} from '../subject.ts';

const dynamodbThroughput = /(Read|Write)(CapacityUnit-Hrs|RequestUnits)/;

/** Detectors for DynamoDB, Kinesis, SageMaker, CloudWatch Logs and CloudTrail. */
export const awsManaged = detectorsOf('aws', [
  {
    type: 'aws_dynamodb_ia_class',
    summary: 'DynamoDB table whose storage costs more than half as much as its requests',
    title: ({ name }) => `Change the table ${name} to the Standard-Infrequent Access class`,
    description:
      'The storage of this table costs more than half as much as its requests. In the Standard-Infrequent Access ' +
      'class, storage costs 60% less and requests cost 25% more. The change is made in place, at most twice in 30 days.',
    confidence: 'medium',
    method: 'factor',
    find(subject, { window }) {
      // Reserved capacity applies only to Standard tables: it would be paid for in addition to the table's throughput.
      if (subject.usage.some(({ kind, meter }) => kind === 'reserved' && dynamodbThroughput.test(meter))) return null;
      const storage = onDemandOf(subject, /^TimedStorage-ByteHrs$/).filter(({ service }) => /DynamoDB/.test(service));
      const storageCost = monthlyCost(storage, window);
      const throughputCost = monthlyCost(onDemandOf(subject, dynamodbThroughput), window);
      // AWS recommends it if storage costs more than half of throughput.
      if (storageCost * 2n <= throughputCost) return null;
      return {
        // aws.amazon.com/dynamodb/pricing.
        savings: spread(storage, percentOf(storageCost, 60) - percentOf(throughputCost, 25)),
        evidence: { table_class: subject.metadata.sku ?? 'STANDARD' },
      };
    },
    script: reversible(
      'Change the table class',
      ({ region }, name) =>
        sh`aws dynamodb update-table --region=${region} --table-name=${name} --table-class=STANDARD_INFREQUENT_ACCESS`,
    ),
  },
  {
    type: 'aws_kinesis_overprovisioned',
    summary: 'Kinesis stream with several times the shards it needs',
    title: ({ name }) => `Reduce the shards of the stream ${name}`,
    description:
      'Writes to this stream use less than a quarter of the capacity of its shards. Halve the number of shards, ' +
      'several times if the busiest minutes allow it, or switch to on-demand mode.',
    confidence: 'low',
    method: 'upper_bound',
    find(subject, { window }) {
      const usage = onDemandOf(subject, /^Storage-ShardHour/);
      const hours = quantityOf(subject, /^Storage-ShardHour/);
      const oneShardHours = amountOf('24') * BigInt(window.days);
      // Without a charge for writes, the load is unknown; a single shard cannot be reduced.
      if (!hasMeter(subject, /^PutRequestPayloadUnits/) || hours <= oneShardHours) return null;
      // A shard takes 1 MiB per second, 41.94 records of 25 KB, counted as 40: 144,000 per hour.
      const used = per(quantityOf(subject, /^PutRequestPayloadUnits/), times(hours, amountOf('144000')));
      if (used * 4n >= amountOf('1')) return null;
      const cost = monthlyCost(usage, window);
      const needed = larger(times(cost, used * 2n), (cost * oneShardHours) / hours);
      return {
        savings: spread(usage, cost - needed),
        evidence: { used_percent: Math.round(numberOf(used) * 10_000) / 100 },
      };
    },
    script: reversible(
      'Show the number of open shards',
      ({ region }, name) => sh`aws kinesis describe-stream-summary --region=${region} --stream-name=${name}`,
    ),
  },
  {
    type: 'aws_sagemaker_notebook_always_on',
    summary: 'SageMaker notebook that runs day and night',
    endsUsage: true,
    title: ({ name }) => `Stop the notebook ${name} when it is not in use`,
    description:
      'This notebook runs day and night. Stopped outside working hours, it costs about 70% less; its disk and ' +
      'data are kept. A lifecycle configuration can stop it after an idle hour.',
    confidence: 'medium',
    method: 'factor',
    find(subject, { window }) {
      const usage = onDemandOf(subject, /^Notebk:ml\./);
      const hours = unitsOf(usage);
      // 95% of a day.
      if (hours < amountOf('22.8') * BigInt(window.days)) return null;
      return {
        savings: shareOf(usage, officeHoursSaving, window),
        evidence: { hours_per_month: numberOf(perMonth(hours, window.days)) },
      };
    },
    script: reversible(
      'Stop it now',
      ({ region }, name) =>
        sh`aws sagemaker stop-notebook-instance --region=${region} --notebook-instance-name=${name}`,
    ),
  },
  {
    type: 'aws_logs_retention',
    summary: 'CloudWatch log group without a retention period',
    title: ({ name }) => `Keep the logs of ${name} for 30 days`,
    description:
      'This log group has no retention period: its logs are stored and billed forever. With a retention of 30 ' +
      'days, all older logs are deleted. Check which logs you are required to keep, and export those to S3.',
    confidence: 'low',
    method: 'upper_bound',
    find(subject, { window }) {
      const usage = usageOf(subject, /^TimedStorage-ByteHrs/).filter(({ service }) => /CloudWatch/.test(service));
      const age = ageInDays(subject.metadata.createdAt ?? subject.firstSeen, window);
      if (subject.metadata.retentionDays !== null || age <= 60) return null;
      // With a constant inflow, all stored days except the last 30 can be deleted.
      const percent = 100 - Math.ceil(30_000_000 / age) / 10_000;
      return { savings: shareOf(usage, percent, window), evidence: { retention_days: null, age_days: age } };
    },
    script: irreversible('Keep logs for 30 days; older ones are deleted', ({ region, nativeId }) => {
      const name = nativeId.replace(/^arn:aws[a-z-]*:logs:[^:]*:[^:]*:log-group:/, '').replace(/:\*$/, '');
      return sh`aws logs put-retention-policy --region=${region} --log-group-name=${name} --retention-in-days=30`;
    }),
  },
  {
    // The first copy of management events is free.
    type: 'aws_cloudtrail_duplicate',
    summary: 'Second copy of CloudTrail management events',
    about: 'scope',
    title: ({ name, region }) => `Record management events once in ${region}${name ? ` (${name})` : ''}`,
    description:
      'More than one trail records the management events of this account in this region. The first copy is ' +
      'free; every further copy is billed. Often an organization trail was added, and the old trail of the ' +
      'account was kept.',
    confidence: 'high',
    method: 'observed',
    find: (subject, { window }) => ({
      savings: wholeOf(usageOf(subject, /PaidEventsRecorded/), window),
      evidence: { region: subject.region, sub_account: subject.subAccount },
    }),
    script: reversible(
      'List the trails in this region',
      ({ region }) =>
        sh`aws cloudtrail describe-trails --region=${region} --query=${'trailList[].[Name,HomeRegion,IsOrganizationTrail]'}`,
    ),
  },
]);
