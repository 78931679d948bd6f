import type { Detector } from '../../detector.ts';
import { cloudNatIdle } from './cloud-nat-idle.ts';
import { cloudSqlHaNonprod } from './cloudsql-ha-nonprod.ts';
import { diskUnattached } from './disk-unattached.ts';
import { forwardingRuleIdle } from './forwarding-rule-idle.ts';
import { gcsStandardCold } from './gcs-standard-cold.ts';
import { ipIdle } from './ip-idle.ts';
import { loggingStorage, loggingStorageProject } from './logging-storage.ts';
import { n1Upgrade } from './n1-upgrade.ts';
import { nonprodSchedule } from './nonprod-schedule.ts';
import { pdSsdBalanced } from './pd-ssd-balanced.ts';
import { snapshotOld } from './snapshot-old.ts';
import { stoppedVmDisks } from './stopped-vm-disks.ts';

export const gcpDetectors: readonly Detector[] = [
  cloudNatIdle,
  cloudSqlHaNonprod,
  diskUnattached,
  forwardingRuleIdle,
  gcsStandardCold,
  ipIdle,
  loggingStorage,
  loggingStorageProject,
  n1Upgrade,
  nonprodSchedule,
  pdSsdBalanced,
  snapshotOld,
  stoppedVmDisks,
];
