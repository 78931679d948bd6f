import { notifications } from '@mantine/notifications';

const look = { withBorder: true, closeButtonProps: { 'aria-label': 'Close' } } as const;

/** Tells at the window's edge that something was done. */
export function done(message: string): void {
  notifications.show({ ...look, message, color: 'harbor', autoClose: 4000 });
}

/** Tells that something did not work, where no form is open that could. */
export function failed(message: string): void {
  notifications.show({ ...look, message, color: 'red', autoClose: 8000, role: 'alert' });
}
