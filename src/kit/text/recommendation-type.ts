import { providerName } from './provider-name.ts';

/** Name of each type of recommendation, without the provider, which is shown beside it. */
export const recommendationTypeNames = {
  AWS_AMI_ORPHAN: 'Unused AMI',
  AWS_CLB_MIGRATE: 'Classic Load Balancer',
  AWS_CLOUDTRAIL_DUPLICATE: 'Duplicate CloudTrail trail',
  AWS_CROSS_AZ_TRANSFER: 'Cross-AZ traffic',
  AWS_CROSS_AZ_TRANSFER_SHARED: 'Shared cross-AZ traffic',
  AWS_DYNAMODB_IA_CLASS: 'DynamoDB Standard-IA',
  AWS_EBS_GP2_GP3: 'EBS gp2 to gp3',
  AWS_EBS_IO1_GP3: 'EBS io1 to gp3',
  AWS_EBS_MAGNETIC: 'EBS magnetic volume',
  AWS_EBS_SNAPSHOT_ARCHIVE: 'EBS snapshot to archive',
  AWS_EBS_SNAPSHOT_OLD: 'Old EBS snapshot',
  AWS_EBS_UNATTACHED: 'Unattached EBS volume',
  AWS_EC2_AMD: 'EC2 to AMD',
  AWS_EC2_GRAVITON: 'EC2 to Graviton',
  AWS_EC2_PREVIOUS_GEN: 'Previous-generation EC2',
  AWS_EC2_SPOT: 'EC2 to Spot',
  AWS_EC2_STOPPED_STORAGE: 'Storage of stopped EC2 instances',
  AWS_EC2_UNLIMITED_CREDITS: 'EC2 surplus CPU credits',
  AWS_ECR_NO_LIFECYCLE: 'ECR without lifecycle policy',
  AWS_EFS_LIFECYCLE: 'EFS lifecycle',
  AWS_EIP_IDLE: 'Idle Elastic IP',
  AWS_EKS_EXTENDED_SUPPORT: 'EKS extended support',
  AWS_ELB_IDLE: 'Idle load balancer',
  AWS_ENGINE_EXTENDED_SUPPORT: 'Engine on extended support',
  AWS_FARGATE_ARM: 'Fargate to Arm',
  AWS_FARGATE_SPOT: 'Fargate to Spot',
  AWS_KINESIS_OVERPROVISIONED: 'Idle Kinesis shards',
  AWS_LAMBDA_ARM: 'Lambda to Arm',
  AWS_LAMBDA_PROVISIONED_UNUSED: 'Unused Lambda provisioned concurrency',
  AWS_LOGS_RETENTION: 'Log retention',
  AWS_NAT_IDLE: 'Idle NAT gateway',
  AWS_NAT_TO_ENDPOINT: 'NAT gateway to endpoint',
  AWS_NONPROD_SCHEDULE: 'Schedule for non-production',
  AWS_RDS_BACKUP_EXCESS: 'RDS backups beyond free storage',
  AWS_RDS_EXTENDED_SUPPORT: 'RDS extended support',
  AWS_RDS_GRAVITON: 'RDS to Graviton',
  AWS_RDS_MULTI_AZ_NONPROD: 'Non-production RDS standby',
  AWS_RDS_PIOPS_GP3: 'RDS provisioned IOPS to gp3',
  AWS_RDS_PREVIOUS_GEN: 'Previous-generation RDS',
  AWS_S3_COLD_STANDARD: 'Rarely read S3 Standard storage',
  AWS_S3_EARLY_DELETE: 'S3 early deletion fees',
  AWS_S3_INTELLIGENT_TIERING: 'S3 Intelligent-Tiering',
  AWS_SAGEMAKER_NOTEBOOK_ALWAYS_ON: 'SageMaker notebook always on',
  AWS_VPCE_IDLE: 'Idle VPC endpoint',
  AZURE_AHB_SQL: 'Azure Hybrid Benefit for SQL',
  AZURE_AHB_WINDOWS: 'Azure Hybrid Benefit for Windows',
  AZURE_APPGW_NO_BACKEND: 'Application gateway without backend',
  AZURE_APPSERVICE_PLAN_EMPTY: 'Empty App Service plan',
  AZURE_DDOS_PLAN_UNASSOCIATED: 'Unused DDoS protection plan',
  AZURE_DISK_UNATTACHED: 'Unattached disk',
  AZURE_EXPRESSROUTE_UNPROVISIONED: 'Unprovisioned ExpressRoute circuit',
  AZURE_LB_NO_BACKEND: 'Load balancer without backend',
  AZURE_LOGANALYTICS_COMMITMENT_TIER: 'Log Analytics commitment tier',
  AZURE_NAT_GATEWAY_IDLE: 'Idle NAT gateway',
  AZURE_NAT_GATEWAY_ORPHAN: 'NAT gateway without subnet',
  AZURE_NONPROD_SCHEDULE: 'Schedule for non-production',
  AZURE_PUBLIC_IP_ORPHAN: 'Unused public IP',
  AZURE_SNAPSHOT_OLD: 'Old snapshot',
  AZURE_SNAPSHOT_PREMIUM: 'Snapshot on premium storage',
  AZURE_SQL_ELASTIC_POOL_EMPTY: 'Empty SQL elastic pool',
  AZURE_STORAGE_HOT_COLD: 'Rarely read hot storage',
  AZURE_VM_DEALLOCATED_LONG: 'Long-deallocated VM',
  AZURE_VM_PREVIOUS_GEN: 'Previous-generation VM',
  AZURE_VM_STOPPED_ALLOCATED: 'VM stopped but allocated',
  AZURE_VNET_GATEWAY_IDLE: 'Idle VNet gateway',
  GCP_CLOUD_NAT_IDLE: 'Idle Cloud NAT gateway',
  GCP_CLOUDSQL_HA_NONPROD: 'Non-production Cloud SQL standby',
  GCP_DISK_UNATTACHED: 'Unattached disk',
  GCP_FORWARDING_RULE_IDLE: 'Idle forwarding rule',
  GCP_GCS_STANDARD_COLD: 'Rarely read Cloud Storage',
  GCP_IP_IDLE: 'Idle IP address',
  GCP_LOGGING_STORAGE: 'Log storage',
  GCP_LOGGING_STORAGE_PROJECT: 'Log storage of a project',
  GCP_N1_UPGRADE: 'N1 VM to E2',
  GCP_NONPROD_SCHEDULE: 'Schedule for non-production',
  GCP_PD_SSD_BALANCED: 'SSD to balanced disk',
  GCP_SNAPSHOT_OLD: 'Old snapshot',
  GCP_STOPPED_VM_DISKS: 'Disk of a stopped VM',
  RESERVATION_UNUSED: 'Unused reservation',
  SAVINGS_PLAN_UNUSED: 'Unused Savings Plan',
  UNKNOWN: 'Other',
} as const satisfies Readonly<Record<string, string>>;

/** Whether the text is a type in GraphQL spelling. */
function isType(text: string): text is keyof typeof recommendationTypeNames {
  return Object.hasOwn(recommendationTypeNames, text);
}

/** Name of a type, such as `Unattached EBS volume`, in GraphQL or REST spelling; null if it is unknown. */
export function recommendationTypeName(type: string): string | null {
  const known = type.toUpperCase();
  return isType(known) ? recommendationTypeNames[known] : null;
}

/** Provider of a type; null if it applies to any. */
export function recommendationTypeProvider(type: string): string | null {
  const [prefix = ''] = type.toUpperCase().split('_', 1);
  return ['AWS', 'AZURE', 'GCP'].includes(prefix) ? providerName(prefix) : null;
}
