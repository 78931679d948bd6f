import { expect, it } from 'vitest';
import { matchUsage, type Usage } from '../../../src/facts/coverage/match.ts';
import { programOf, programs } from '../../../src/facts/coverage/programs.ts';

const bare = {
  ServiceCategory: null,
  ServiceSubcategory: null,
  ChargeDescription: null,
  PricingUnit: null,
  ConsumedUnit: null,
};

function fit(provider: string, service: string, meter: string): string {
  const { program, pool } = matchUsage({ ...bare, x_Provider: provider, ServiceName: service, SkuMeter: meter });
  return [program ?? 'none', ...(pool === null ? [] : [pool])].join(' ');
}

const ec2 = 'Amazon Elastic Compute Cloud';
const rds = 'Amazon Relational Database Service';

it.each([
  ['aws', ec2, 'EU-BoxUsage:m6i.xlarge', 'aws-compute-ec2'],
  ['aws', ec2, 'BoxUsage:t3.micro', 'aws-compute-ec2'],
  ['aws', 'AmazonEC2', 'USW2-DedicatedUsage:c5.large', 'aws-compute-ec2'],
  ['aws', ec2, 'EU-SpotUsage:m6i.xlarge', 'none'],
  ['aws', ec2, 'EU-DataTransfer-Out-Bytes', 'none'],
  ['aws', ec2, 'EU-EBS:VolumeUsage.gp3', 'none'],
  ['aws', ec2, 'EU-NatGateway-Hours', 'none'],
  ['aws', ec2, 'USE1-CPUCredits:t3', 'none'],
  ['aws', 'Amazon Elastic Container Service', 'EU-Fargate-vCPU-Hours:perCPU', 'aws-compute-fargate'],
  ['aws', 'Amazon Elastic Container Service', 'EU-Fargate-EphemeralStorage-GB-Hours', 'none'],
  ['aws', 'Amazon Elastic Kubernetes Service', 'EU-AmazonEKS-Hours:perCluster', 'none'],
  ['aws', 'AWS Lambda', 'EU-Lambda-GB-Second-ARM', 'aws-compute-lambda'],
  ['aws', 'AWS Lambda', 'EU-Request', 'none'],
  ['aws', rds, 'EU-InstanceUsage:db.r6g.2xlarge', 'aws-rds db.r6g'],
  ['aws', rds, 'EU-Multi-AZUsage:db.m5.large', 'aws-rds db.m5'],
  ['aws', rds, 'EU-RDS:GP2-Storage', 'none'],
  ['aws', rds, 'EU-Aurora:ServerlessV2Usage', 'none'],
  ['aws', 'Amazon ElastiCache', 'EU-NodeUsage:cache.r6g.large', 'aws-elasticache cache.r6g'],
  ['aws', 'Amazon OpenSearch Service', 'EU-ESInstance:m6g.large', 'aws-opensearch m6g'],
  ['aws', 'Amazon Redshift', 'USE1-Node:ra3.4xlarge', 'aws-redshift ra3'],
  ['aws', 'Amazon DynamoDB', 'EU-ReadCapacityUnit-Hrs', 'aws-dynamodb read'],
  ['aws', 'Amazon DynamoDB', 'EU-ReadRequestUnits', 'none'],
  ['aws', 'Amazon SageMaker', 'USE1-Host:ml.m5.large', 'aws-sagemaker'],
  ['aws', 'Amazon Simple Storage Service', 'EU-TimedStorage-ByteHrs', 'none'],
  ['azure', 'Virtual Machines', 'D4s v5', 'azure-compute-vm'],
  ['azure', 'Virtual Machines', 'D4s v5 Spot', 'none'],
  ['azure', 'Virtual Machines', '4 vCPU VM License', 'none'],
  ['azure', 'Virtual Machines', 'D2 v3/D2s v3', 'azure-compute-vm'],
  ['azure', 'Virtual Machines', 'Intra Continent Data Transfer Out', 'none'],
  ['azure', 'Virtual Machines', 'Standard Inter-Availability Zone Data Transfer', 'none'],
  ['azure', 'Virtual Machines', 'Intra-Region Egress', 'none'],
  ['azure', 'Virtual Machines', 'Standard P2 Node', 'none'],
  ['azure', 'Container Instances', 'Standard Memory Duration', 'azure-compute-vm'],
  ['azure', 'Azure App Service', 'P1 v3 App', 'azure-compute-apps'],
  ['azure', 'Azure App Service', 'S1 App', 'none'],
  ['azure', 'Azure App Service', 'P1v3', 'azure-compute-apps'],
  ['azure', 'Azure SQL Database', 'vCore', 'azure-sql'],
  ['azure', 'Azure SQL Database', 'General Purpose Data Stored', 'none'],
  ['azure', 'Azure Database for PostgreSQL', 'D4ds v5', 'azure-open-source-databases postgresql'],
  ['azure', 'Azure Database for PostgreSQL', 'vCore', 'azure-open-source-databases postgresql'],
  ['azure', 'Azure Cosmos DB', '100 RU/s', 'azure-cosmos-db'],
  ['azure', 'Azure Cache for Redis', 'P1 Cache', 'azure-redis p1'],
  ['azure', 'Azure Cache for Redis', 'C1 Cache', 'none'],
  ['gcp', 'Compute Engine', 'N2 Instance Core running in EMEA', 'gcp-compute-flexible'],
  ['gcp', 'Compute Engine', 'E2 Instance Ram running in EMEA', 'gcp-compute-flexible'],
  ['gcp', 'Compute Engine', 'Spot Preemptible N2 Instance Core running in EMEA', 'none'],
  ['gcp', 'Compute Engine', 'SSD backed PD Capacity', 'none'],
  ['gcp', 'Cloud Run', 'Services CPU (Request-based billing) in europe-west1', 'gcp-cloud-run'],
  ['gcp', 'Cloud SQL', 'Cloud SQL for PostgreSQL: Regional - vCPU in Belgium', 'gcp-cloud-sql'],
  ['gcp', 'Cloud SQL', 'Cloud SQL for PostgreSQL: Zonal - Standard storage in Belgium', 'none'],
  ['gcp', 'BigQuery', 'Analysis (europe-west1)', 'none'],
  ['oracle', 'Compute', 'BoxUsage', 'none'],
])('matches %s %s %s to %s', (provider, service, meter, expected) => {
  expect(fit(provider, service, meter)).toBe(expected);
});

it.each<[string, string, Partial<Usage>, string | null]>([
  [ec2, 'Compute Usage', { PricingUnit: 'Hours' }, 'aws-compute-ec2'],
  [ec2, 'Instance Hours', { ConsumedUnit: 'hour' }, 'aws-compute-ec2'],
  [ec2, 'Metered usage', { ServiceSubcategory: 'Virtual Machines' }, 'aws-compute-ec2'],
  [rds, 'compute', { ServiceCategory: 'Databases' }, 'aws-rds'],
  [rds, 'db.r6g.large', { ServiceSubcategory: 'Relational Databases' }, 'aws-rds'],
  [ec2, 'Block Volume Usage', { PricingUnit: 'GB-Hours' }, null],
  [ec2, 'Usage', { ServiceCategory: 'Storage', PricingUnit: 'Hours' }, null],
  [ec2, 'Metered usage', { PricingUnit: 'Units' }, 'unrecognized'],
  ['AWS Lambda', 'Compute Usage', {}, 'unrecognized'],
  ['Amazon Simple Storage Service', 'Compute Usage', { PricingUnit: 'Hours' }, null],
  ['Azure SQL Database', 'Compute Usage', { x_Provider: 'azure', PricingUnit: '1 Hour' }, 'azure-sql'],
  ['Azure SQL Database', 'S2 DTUs', { x_Provider: 'azure', PricingUnit: '1/Day' }, null],
  ['Compute Engine', 'CPU', { x_Provider: 'gcp', PricingUnit: 'hour' }, 'gcp-compute-flexible'],
  ['Compute Engine', 'External IP Charge on a Standard VM', { x_Provider: 'gcp', PricingUnit: 'hour' }, null],
])('decides on %s with the meter %s and %o by the columns of FOCUS: %s', (service, meter, more, program) => {
  const usage = { ...bare, x_Provider: 'aws', ServiceName: service, SkuMeter: meter, ...more };
  expect(matchUsage(usage).program).toBe(program);
});

it('offers one year in every program, with plausible discounts', () => {
  for (const { id, offers } of programs) {
    expect(offers[0], id).toMatchObject({ termMonths: 12 });
    for (const { discount } of offers) expect(discount, id).toSatisfy((off: number) => off >= 0.1 && off <= 0.8);
    expect(programOf(id)?.id).toBe(id);
  }
  expect(programOf('')).toBeNull();
});
