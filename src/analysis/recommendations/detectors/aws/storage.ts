import { sumAmounts } from '../../../../kit/money.ts';
import { detectorsOf, irreversible, reversible, type Context, type RowScript } from '../detector.ts';
import { amountOf, numberOf, per, perMonth, times } from '../figures.ts';
import { priceCut } from '../repriced.ts';
import { sh } from '../script.ts';
import {
  ageInDays,
  hasMeter,
  onDemandOf,
  quantityOf,
  shareOf,
  unitsOf,
  usageOf,
  wholeOf,
  type Subject,
} from '../subject.ts';

const standardStorage = /^TimedStorage-ByteHrs$/;

const tieringRules =
  '{"Rules":[{"ID":"intelligent-tiering","Status":"Enabled","Filter":{},"Transitions":[{"Days":0,"StorageClass":"INTELLIGENT_TIERING"}]}]}';

// The call would replace existing rules.
const tierBucket: RowScript = reversible(
  'Move all objects to Intelligent-Tiering, unless the bucket has lifecycle rules',
  (_, bucket) =>
    [
      sh`found=$(aws s3api get-bucket-lifecycle-configuration --bucket=${bucket} 2>&1)`,
      'case "$found" in',
      sh`*NoSuchLifecycleConfiguration*) aws s3api put-bucket-lifecycle-configuration --bucket=${bucket} --lifecycle-configuration=${tieringRules} ;;`,
      "*) echo 'The bucket has lifecycle rules, or they cannot be read: add the transition to them.' ;;",
      'esac',
    ].join('\n'),
);

export const awsStorage = detectorsOf('aws', [
  {
    type: 'aws_s3_cold_standard',
    summary: 'S3 bucket in Standard storage with almost no reads or writes',
    title: ({ name }) => `Move ${name} to Intelligent-Tiering`,
    description:
      'This bucket had almost no reads or writes, and all of its data is in Standard storage. ' +
      'Intelligent-Tiering moves unread objects to cheaper tiers without retrieval fees; moving each object ' +
      'costs a little.',
    confidence: 'medium',
    method: 'factor',
    find(subject, context) {
      const usage = onDemandOf(subject, standardStorage);
      const requests = quantityOf(subject, /^Requests-Tier[12]$/);
      if (!isBucket(subject) || hasMeter(subject, /^TimedStorage-(?!ByteHrs$)/)) return null;
      // Scanners and consoles make some requests to every bucket.
      if (requests >= amountOf('1000') || ageInDays(subject.firstSeen, context.window) < 60) return null;
      // 30% of unread storage is the figure of AWS's Cloud Intelligence Dashboards.
      const { savings, method } = priceCut(context, { subject, usage, meter: 'TimedStorage-SIA-ByteHrs' }, 30);
      const stored = quantityOf(subject, standardStorage);
      return { savings, method, evidence: { requests: numberOf(requests), gb_months: numberOf(stored) } };
    },
    script: tierBucket,
  },
  {
    type: 'aws_s3_intelligent_tiering',
    summary: 'Large S3 bucket in Standard storage with few reads',
    title: ({ name }) => `Move ${name} to Intelligent-Tiering`,
    description:
      'This bucket is in Standard storage and rarely read. Intelligent-Tiering moves unread objects to cheaper ' +
      'tiers without retrieval fees; it charges a little for each object larger than 128 KB.',
    confidence: 'medium',
    method: 'observed',
    find(subject, context) {
      const usage = onDemandOf(subject, standardStorage);
      const { days } = context.window;
      const gigabytes = perMonth(unitsOf(usage), days);
      const reads = perMonth(quantityOf(subject, /^Requests-Tier2$/), days);
      // The fees for small objects can exceed the savings of a small bucket; with more than one read per GB, most of it is in
      // use.
      if (!isBucket(subject) || gigabytes < amountOf('1000') || reads > gigabytes) return null;
      const price = blendedPrice(subject, context);
      if (price === null) return null;
      const savings = usage.map((each) => ({
        usage: each,
        amount: perMonth(each.cost - times(price, each.quantity), days),
      }));
      const evidence = { gb: numberOf(gigabytes), reads_a_month: numberOf(reads), blended_price: numberOf(price) };
      return sumAmounts(savings.map(({ amount }) => amount)) > 0n ? { savings, evidence } : null;
    },
    script: tierBucket,
  },
  {
    type: 'aws_s3_early_delete',
    summary: 'S3 bucket billed for objects deleted before their minimum storage duration',
    title: ({ name }) => `Keep objects of ${name} in Standard until they are deleted`,
    description:
      'Objects of this bucket move to a colder class and are deleted before its minimum storage duration of 30, ' +
      '90 or 180 days ends; the remaining days are billed. Move them later, or not at all.',
    confidence: 'medium',
    method: 'upper_bound',
    find(subject, { window }) {
      const usage = usageOf(subject, /^EarlyDelete-/);
      return { savings: wholeOf(usage, window), evidence: { meters: [...new Set(usage.map(({ meter }) => meter))] } };
    },
    script: reversible(
      'Show the lifecycle rules',
      (_, bucket) => sh`aws s3api get-bucket-lifecycle-configuration --bucket=${bucket}`,
    ),
  },
  {
    type: 'aws_efs_lifecycle',
    summary: 'EFS file system that does not use Infrequent Access',
    title: ({ name }) => `Move unread files of ${name} to Infrequent Access`,
    description:
      'All files of this file system are in the Standard class. Lifecycle management moves files that have not ' +
      'been read for 30 days to Infrequent Access, and back when they are read; this is billed per GB.',
    confidence: 'low',
    method: 'upper_bound',
    find(subject, { window }) {
      const usage = onDemandOf(subject, standardStorage).filter(({ service }) =>
        /Elastic File System|EFS/.test(service),
      );
      if (hasMeter(subject, /^IATimedStorage/) || subject.metadata.hasLifecyclePolicy === true) return null;
      // According to AWS, 80% of a file system is rarely read; a GB of Infrequent Access costs 0.025 instead of 0.30
      // (aws.amazon.com/efs/pricing): 80% × (1 − 0.025 / 0.30).
      return { savings: shareOf(usage, 73.3333, window), evidence: { has_infrequent_access: false } };
    },
    script: reversible(
      'Move files after 30 days, and back on the first read',
      ({ region }, id) =>
        sh`aws efs put-lifecycle-configuration --region=${region} --file-system-id=${id} --lifecycle-policies=${efsPolicies}`,
    ),
  },
  {
    type: 'aws_ecr_no_lifecycle',
    summary: 'ECR repository without a lifecycle policy',
    title: ({ name }) => `Add a lifecycle policy to the repository ${name}`,
    description:
      'Nothing deletes old images from this repository, so every build adds to its storage. A policy can delete ' +
      'untagged images after 14 days; the bill does not show how much that saves.',
    confidence: 'low',
    method: 'factor',
    find(subject, { window }) {
      const usage = usageOf(subject, /^TimedStorage-ByteHrs/).filter(({ service }) =>
        /Container Registry|ECR/.test(service),
      );
      if (subject.metadata.hasLifecyclePolicy !== false) return null;
      // Half is an assumption; the actual share is between little and nearly all.
      return { savings: shareOf(usage, 50, window), evidence: { has_lifecycle_policy: false } };
    },
    script: irreversible(
      'Delete untagged images after 14 days',
      ({ region, nativeId }) =>
        sh`aws ecr put-lifecycle-policy --region=${region} --repository-name=${nativeId.replace(/^.*:repository\//, '')} --lifecycle-policy-text=${ecrPolicy}`,
    ),
  },
]);

const efsPolicies = JSON.stringify([
  { TransitionToIA: 'AFTER_30_DAYS' },
  { TransitionToPrimaryStorageClass: 'AFTER_1_ACCESS' },
]);

const ecrPolicy = JSON.stringify({
  rules: [
    {
      rulePriority: 1,
      description: 'Untagged images',
      selection: { tagStatus: 'untagged', countType: 'sinceImagePushed', countUnit: 'days', countNumber: 14 },
      action: { type: 'expire' },
    },
  ],
});

/** Returns whether it is an S3 bucket: other services' storage has the same usage types. Bills contain the service name or
 *  its code, `AmazonS3`. */
function isBucket({ service }: Subject): boolean {
  return /Simple Storage Service|S3\b/.test(service);
}

/** Returns the account's price per GB of Intelligent-Tiering over all tiers; null without any in the region. */
function blendedPrice(subject: Subject, { prices }: Context): bigint | null {
  const parts = ['FA', 'IA', 'AIA'].flatMap((tier) => {
    const meter = `TimedStorage-INT-${tier}-ByteHrs`;
    const price = prices.priceOf(subject, meter);
    const cost = prices.spendOn(subject, /./, new RegExp(`^${meter}$`));
    return price === null ? [] : [{ cost, quantity: per(cost, price) }];
  });
  const quantity = sumAmounts(parts.map((part) => part.quantity));
  return quantity === 0n ? null : per(sumAmounts(parts.map((part) => part.cost)), quantity);
}
