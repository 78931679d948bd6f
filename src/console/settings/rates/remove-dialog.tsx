import { useAct } from '../../api/use-act.ts';
import { ConfirmDialog } from '../../parts/dialog.tsx';
import { done } from '../../parts/done.ts';
import { month as monthName } from '../../words/format.ts';
import { SetRates, type Rate } from './queries.ts';

/** Asks before a rate is removed. */
export function RemoveDialog({ rate: { month, from, to }, onClose }: { readonly rate: Rate; onClose(): void }) {
  const set = useAct(SetRates);
  const submit = async () => {
    if (!(await set.act({ rates: [{ month, from, to, rate: null }] }))) return;
    done('The rate is removed.');
    onClose();
  };
  return (
    <ConfirmDialog
      title="Remove the rate"
      verb="Remove"
      isOpen
      isBusy={set.isBusy}
      refusal={set.refusal}
      text={`Costs of ${monthName(month)} in ${from} are then left out of totals in ${to}, and named beside them.`}
      onSubmit={() => void submit()}
      onClose={onClose}
    />
  );
}
