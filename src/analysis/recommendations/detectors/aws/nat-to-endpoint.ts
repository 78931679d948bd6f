import type { Context, Detector } from '../../detector.ts';
import { amountOf, numberOf, percentOf, perMonth } from '../../figures.ts';
import { shareOf } from '../../savings.ts';
import { sh, type Script } from '../../script.ts';
import { monthlyCost, onDemandOf, quantityOf, shortId, type Subject } from '../../subject.ts';

/** Shares of the traffic that goes to S3 and DynamoDB where nobody looked: the lower one counts. */
const share = { low: 30, high: 70 } as const;
/** GB a month. */
const leastGb = amountOf('100');

const services = [
  { name: 's3', pattern: /Simple Storage Service|S3\b/ },
  { name: 'dynamodb', pattern: /DynamoDB/ },
] as const;

/** What goes to S3 and DynamoDB through a gateway endpoint costs nothing. Catalogue 18. */
export const natToEndpoint: Detector = {
  type: 'aws_nat_to_endpoint',
  summary: 'NAT gateway whose traffic could use free gateway endpoints',
  provider: 'aws',
  about: 'resource',
  detect(subject, context) {
    const usage = onDemandOf(subject, /^NatGateway-Bytes/);
    const missing = missingEndpoints(subject, context);
    const gigabytes = perMonth(quantityOf(subject, /^NatGateway-Bytes/), context.window.days);
    if (usage.length === 0 || missing.length === 0 || gigabytes < leastGb) return null;
    return {
      title: `Add gateway endpoints to the network of ${subject.name}`,
      description:
        'The account uses S3 or DynamoDB in this region, and the network has no gateway endpoint for it, so the ' +
        'NAT gateway bills this traffic per GB. Gateway endpoints are free; flow logs show how much traffic they ' +
        'would carry.',
      savings: shareOf(usage, share.low, context.window),
      confidence: 'low',
      method: 'factor',
      evidence: {
        missing_endpoints: missing,
        gb_per_month: numberOf(gigabytes),
        savings_at_most: numberOf(percentOf(monthlyCost(usage, context.window), share.high)),
      },
      scripts: () => [creation(subject, missing)],
    };
  },
};

function missingEndpoints(subject: Subject, { prices }: Context): string[] {
  const there = subject.metadata.gatewayEndpoints;
  if (there === undefined) return [];
  return services
    .filter(({ name, pattern }) => !there.includes(name) && prices.spendOn(subject, pattern, /./) > 0n)
    .map(({ name }) => name);
}

function creation(subject: Subject, missing: readonly string[]): Script {
  const at = sh`--region=${subject.region}`;
  return {
    kind: 'aws_cli',
    title: 'Create the endpoints for all route tables of the network',
    script: [
      `vpc=$(aws ec2 describe-nat-gateways ${at} ` +
        sh`--nat-gateway-ids=${shortId(subject.nativeId)} --query=${'NatGateways[0].VpcId'} --output=text) &&`,
      `tables=$(aws ec2 describe-route-tables ${at} --filters=Name=vpc-id,Values="$vpc" ` +
        sh`--query=${'RouteTables[].RouteTableId'} --output=text) &&`,
      missing
        .map(
          (name) =>
            `aws ec2 create-vpc-endpoint ${at} --vpc-id="$vpc" ` +
            sh`--service-name=com.amazonaws.${subject.region}.${name}` +
            ' --route-table-ids $tables',
        )
        .join(' &&\n'),
    ].join('\n'),
    reversible: true,
  };
}
