import { sumAmounts } from '../../../../kit/money.ts';
import type { Detector } from '../../detector.ts';
import { nonProductionTag } from '../../environment.ts';
import { amountOf, numberOf } from '../../figures.ts';
import { shareOf } from '../../savings.ts';
import { hcl, sh } from '../../script.ts';
import { officeHoursSaving, runsAllWeek } from '../always-on.ts';
import { machineHoursOf } from './vm-hours.ts';

/** Hours of a week from which on a machine counts as always on; a week has 168. */
const alwaysOnHours = 160;

/** Nobody uses a development machine at night and at weekends. Catalogue 13, for Azure. */
export const nonprodSchedule: Detector = {
  type: 'azure_nonprod_schedule',
  summary: 'Non-production virtual machine that is always on',
  provider: 'azure',
  about: 'resource',
  endsUsage: true,
  detect(subject, { window }) {
    const environment = nonProductionTag(subject);
    if (environment === null) return null;
    const enough = amountOf(String(alwaysOnHours * window.days));
    const usage = machineHoursOf(subject).filter((each) => runsAllWeek(each, window) && each.quantity * 7n >= enough);
    if (usage.length === 0) return null;
    return {
      title: `Run ${subject.name} during office hours only`,
      description:
        `Its tags say that it is not in production (${environment}), but it runs day and night, including ` +
        'weekends. Ten hours on each working day cost 70% less; its disks are billed as before.',
      savings: shareOf(usage, officeHoursSaving, window),
      confidence: 'medium',
      method: 'factor',
      evidence: {
        environment,
        hours: numberOf(sumAmounts(usage.map(({ quantity }) => quantity))),
        percent: officeHoursSaving,
      },
      scripts: () => [
        {
          kind: 'azure_cli',
          title: 'Deallocate the machine every evening at 19:00 UTC; start it manually or on your own schedule',
          script: sh`az vm auto-shutdown --ids=${subject.nativeId} --time=1900`,
          reversible: true,
        },
        {
          kind: 'terraform',
          title: 'The same as a Terraform resource',
          script: hcl`
resource "azurerm_dev_test_global_vm_shutdown_schedule" "office_hours" {
  virtual_machine_id    = ${subject.nativeId}
  location              = ${subject.region}
  enabled               = true
  daily_recurrence_time = "1900"
  timezone              = "UTC"

  notification_settings {
    enabled = false
  }
}`,
          reversible: true,
        },
      ],
    };
  },
};
