import { detectorsOf, reversible, type Context, type Found, type Row } from '../detector.ts';
import { amountOf, numberOf, percentOf, perMonth } from '../figures.ts';
import { sh, type Script } from '../script.ts';
import {
  hasMeter,
  isOlder,
  monthlyCost,
  onDemandOf,
  quantityOf,
  recentQuantityOf,
  shareOf,
  shortId,
  usageOf,
  wholeOf,
  type Subject,
} from '../subject.ts';

const idleAddress = /^(PublicIPv4:IdleAddress|ElasticIP:IdleAddress)/;

export const awsNetwork = detectorsOf('aws', [
  idle({
    // AWS bills an address on these meters while it is not in use.
    type: 'aws_eip_idle',
    summary: 'Unused Elastic IP address',
    action: 'Release the idle IP address',
    description:
      'This address is not in use but is billed per hour. A released address cannot be recovered: check DNS ' +
      'records and partner allow lists first.',
    meters: idleAddress,
    evidenceOf(subject) {
      // An address that is now in use still has idle hours in the window.
      const isInUse = subject.metadata.attachedTo || recentQuantityOf(subject, /:InUseAddress/) > 0n;
      const hours = numberOf(recentQuantityOf(subject, idleAddress));
      // Of 336 hours: bills may lack the last two days.
      return isInUse || hours < 288 ? null : { attached_to: null, idle_hours_last_14_days: hours };
    },
    command: ({ region }, id) =>
      id.startsWith('eipalloc-') ? sh`aws ec2 release-address --region=${region} --allocation-id=${id}` : null,
  }),
  idle({
    type: 'aws_nat_idle',
    summary: 'NAT gateway with almost no traffic',
    action: 'Delete the idle NAT gateway',
    description:
      'Less than a gigabyte passed through this gateway in 14 days, but its hours are still billed. Remove it ' +
      'from the route tables first, and keep its IP address if it is on partner allow lists.',
    meters: /^NatGateway-/,
    evidenceOf(subject) {
      const bytes = recentQuantityOf(subject, /^NatGateway-Bytes/);
      if (!hasMeter(subject, /^NatGateway-Hours/) || bytes >= amountOf('1')) return null;
      return { gigabytes_last_14_days: numberOf(bytes) };
    },
    command: ({ region }, id) => sh`aws ec2 delete-nat-gateway --region=${region} --nat-gateway-id=${id}`,
  }),
  idle({
    type: 'aws_vpce_idle',
    summary: 'VPC endpoint with almost no traffic',
    action: 'Delete the idle VPC endpoint',
    description:
      'Almost no traffic passed through this endpoint in 14 days, but it is billed per hour in each of its ' +
      'Availability Zones.',
    meters: /^VpcEndpoint-/,
    evidenceOf(subject) {
      const bytes = recentQuantityOf(subject, /^VpcEndpoint-Bytes/);
      if (!hasMeter(subject, /^VpcEndpoint-Hours/) || bytes >= amountOf('0.1')) return null;
      return { gigabytes_last_14_days: numberOf(bytes) };
    },
    command: ({ region }, id) => sh`aws ec2 delete-vpc-endpoints --region=${region} --vpc-endpoint-ids=${id}`,
  }),
  idle({
    type: 'aws_elb_idle',
    summary: 'Load balancer with almost no traffic or no targets',
    action: 'Delete the idle load balancer',
    description:
      'This load balancer has served almost no traffic for 14 days, or has no targets. It is billed per hour. ' +
      'Check for DNS records that point to it first.',
    meters: /^(LoadBalancerUsage|LCUUsage|DataProcessing-Bytes)/,
    evidenceOf(subject) {
      // Capacity units or GB: health checks are not billed.
      const traffic = recentQuantityOf(subject, /^(LCUUsage|DataProcessing-Bytes)/);
      const hasNoTargets = subject.metadata.usedByCount === 0;
      if (!hasMeter(subject, /^LoadBalancerUsage/) || (traffic >= amountOf('0.1') && !hasNoTargets)) return null;
      return { traffic_last_14_days: numberOf(traffic), targets: subject.metadata.usedByCount ?? null };
    },
    command: (subject, id) =>
      isClassic(subject)
        ? sh`aws elb delete-load-balancer --region=${subject.region} --load-balancer-name=${id}`
        : sh`aws elbv2 delete-load-balancer --region=${subject.region} --load-balancer-arn=${subject.nativeId}`,
  }),
  {
    type: 'aws_clb_migrate',
    summary: 'Classic Load Balancer that could be an Application or Network Load Balancer',
    title: ({ name }) => `Replace the Classic Load Balancer ${name}`,
    description:
      'An Application or Network Load Balancer costs less per hour. Its traffic charges (capacity units) depend ' +
      'on connections and rules: compare them with what this one charges per GB.',
    confidence: 'low',
    method: 'factor',
    find(subject, { window }) {
      if (!isClassic(subject)) return null;
      // 0.0225 instead of 0.025 per hour in us-east-1 (Elastic Load Balancing price page). Both kinds have the same usage
      // type, so the account's own prices cannot be distinguished.
      return { savings: shareOf(onDemandOf(subject, /^LoadBalancerUsage/), 10, window), evidence: { kind: 'classic' } };
    },
    script: reversible(
      'Show its listeners, targets and health check, to set up the new one',
      ({ region }, name) => sh`aws elb describe-load-balancers --region=${region} --load-balancer-names=${name}`,
    ),
  },
  {
    type: 'aws_nat_to_endpoint',
    summary: 'NAT gateway whose traffic could use free gateway endpoints',
    title: ({ name }) => `Add gateway endpoints to the network of ${name}`,
    description:
      'The account uses S3 or DynamoDB in this region, and the network has no gateway endpoint for it, so the ' +
      'NAT gateway bills this traffic per GB. Gateway endpoints are free; flow logs show how much traffic they ' +
      'would carry.',
    confidence: 'low',
    method: 'factor',
    find(subject, context) {
      const usage = onDemandOf(subject, /^NatGateway-Bytes/);
      const missing = missingEndpoints(subject, context);
      const gigabytes = perMonth(quantityOf(subject, /^NatGateway-Bytes/), context.window.days);
      if (missing.length === 0 || gigabytes < amountOf('100')) return null;
      return {
        // Typically 30% to 70% of the traffic is to S3 and DynamoDB.
        savings: shareOf(usage, 30, context.window),
        evidence: {
          missing_endpoints: missing,
          gb_per_month: numberOf(gigabytes),
          savings_at_most: numberOf(percentOf(monthlyCost(usage, context.window), 70)),
        },
        scripts: () => [creationOf(subject, missing)],
      };
    },
  },
  {
    type: 'aws_cross_az_transfer',
    summary: 'Resource with high traffic between Availability Zones',
    ...crossZone(({ name }) => `Keep the traffic of ${name} within its Availability Zone`),
  },
  {
    // The same for bills that do not name a resource.
    type: 'aws_cross_az_transfer_shared',
    summary: 'High traffic between Availability Zones without a resource on the bill',
    about: 'scope',
    ...crossZone(
      ({ service, region, subAccount }) =>
        `Keep traffic of ${service} in ${region} (account ${subAccount}) within its Availability Zone`,
    ),
  },
]);

/** Something that is billed but has not been used for 14 days. */
interface Idle extends Pick<Row, 'type' | 'summary' | 'description'> {
  /** `Delete the idle NAT gateway`; followed by the name. */
  readonly action: string;
  /** The meters whose cost is saved. */
  readonly meters: RegExp;
  /** Null: in use. */
  readonly evidenceOf: (subject: Subject) => Found['evidence'] | null;
  readonly command: (subject: Subject, id: string) => string | null;
}

/** Builds a row that saves the whole cost of the meters by an irreversible deletion. */
function idle({ action, meters, evidenceOf, command, ...row }: Idle): Row {
  return {
    ...row,
    endsUsage: true,
    title: ({ name }) => `${action} ${name}`,
    confidence: 'high',
    method: 'observed',
    find(subject, { window }) {
      const evidence = window.days >= 14 && isOlder(subject.firstSeen, 14, window) ? evidenceOf(subject) : null;
      return evidence && { savings: wholeOf(usageOf(subject, meters), window), evidence };
    },
    script: { title: action, reversible: false, command },
  };
}

/** Returns whether a load balancer is a Classic Load Balancer, whose ARN does not contain a type. */
function isClassic({ nativeId }: Subject): boolean {
  return /:loadbalancer\/(?!(?:app|net|gwy)\/)/.test(nativeId);
}

function crossZone(title: Row['title']): Omit<Row, 'type' | 'summary'> {
  const meter = /^DataTransfer-(?:Regional|xAZ-In|xAZ-Out)-Bytes$/;
  return {
    title,
    description:
      'Traffic between Availability Zones is billed per GB at both ends. Topology-aware routing in Kubernetes, zonal ' +
      'load balancer endpoints and clients that read from the nearest replica keep much of it within a zone; flow logs ' +
      'show which resources communicate.',
    confidence: 'low',
    method: 'factor',
    find(subject, { window }) {
      const gigabytes = perMonth(quantityOf(subject, meter), window.days);
      // Less is not worth a change of architecture.
      if (gigabytes < amountOf('1000')) return null;
      return {
        // 30% to 80% can stay in its zone if clients prefer nearby servers.
        savings: shareOf(onDemandOf(subject, meter), 50, window),
        evidence: { gb_per_month: numberOf(gigabytes) },
      };
    },
  };
}

function missingEndpoints(subject: Subject, { prices }: Context): string[] {
  const existing = subject.metadata.gatewayEndpoints;
  if (existing === undefined) return [];
  return [
    { name: 's3', service: /Simple Storage Service|S3\b/ },
    { name: 'dynamodb', service: /DynamoDB/ },
  ]
    .filter(({ name, service }) => !existing.includes(name) && prices.spendOn(subject, service, /./) > 0n)
    .map(({ name }) => name);
}

function creationOf({ region, nativeId }: Subject, missing: readonly string[]): Script {
  const at = sh`--region=${region}`;
  const endpoints = missing.map(
    (name) =>
      `aws ec2 create-vpc-endpoint ${at} --vpc-id="$vpc" ` +
      sh`--service-name=com.amazonaws.${region}.${name}` +
      ' --route-table-ids $tables',
  );
  return {
    kind: 'aws_cli',
    title: 'Create the endpoints for all route tables of the network',
    script: [
      `vpc=$(aws ec2 describe-nat-gateways ${at} ` +
        sh`--nat-gateway-ids=${shortId(nativeId)} --query=${'NatGateways[0].VpcId'} --output=text) &&`,
      `tables=$(aws ec2 describe-route-tables ${at} --filters=Name=vpc-id,Values="$vpc" ` +
        sh`--query=${'RouteTables[].RouteTableId'} --output=text) &&`,
      endpoints.join(' &&\n'),
    ].join('\n'),
    reversible: true,
  };
}
