import type { Detector } from '../../detector.ts';
import { ahbSql } from './ahb-sql.ts';
import { ahbWindows } from './ahb-windows.ts';
import { appGwNoBackend } from './appgw-no-backend.ts';
import { appServicePlanEmpty } from './appservice-plan-empty.ts';
import { ddosPlanUnassociated } from './ddos-plan-unassociated.ts';
import { diskUnattached } from './disk-unattached.ts';
import { expressRouteUnprovisioned } from './expressroute-unprovisioned.ts';
import { lbNoBackend } from './lb-no-backend.ts';
import { logAnalyticsCommitmentTier } from './loganalytics-commitment-tier.ts';
import { natGatewayIdle } from './nat-gateway-idle.ts';
import { natGatewayOrphan } from './nat-gateway-orphan.ts';
import { nonprodSchedule } from './nonprod-schedule.ts';
import { publicIpOrphan } from './public-ip-orphan.ts';
import { snapshotOld } from './snapshot-old.ts';
import { snapshotPremium } from './snapshot-premium.ts';
import { sqlElasticPoolEmpty } from './sql-elastic-pool-empty.ts';
import { storageHotCold } from './storage-hot-cold.ts';
import { vmDeallocatedLong } from './vm-deallocated-long.ts';
import { vmPreviousGen } from './vm-previous-gen.ts';
import { vmStoppedAllocated } from './vm-stopped-allocated.ts';
import { vnetGatewayIdle } from './vnet-gateway-idle.ts';

export const azureDetectors: readonly Detector[] = [
  ahbSql,
  ahbWindows,
  appGwNoBackend,
  appServicePlanEmpty,
  ddosPlanUnassociated,
  diskUnattached,
  expressRouteUnprovisioned,
  lbNoBackend,
  logAnalyticsCommitmentTier,
  natGatewayIdle,
  natGatewayOrphan,
  nonprodSchedule,
  publicIpOrphan,
  snapshotOld,
  snapshotPremium,
  sqlElasticPoolEmpty,
  storageHotCold,
  vmDeallocatedLong,
  vmPreviousGen,
  vmStoppedAllocated,
  vnetGatewayIdle,
];
