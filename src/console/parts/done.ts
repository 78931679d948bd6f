import { notifications } from '@mantine/notifications';

/** Tells at the window's edge that something was done. */
export function done(message: string): void {
  notifications.show({ message, color: 'harbor', autoClose: 4000, withBorder: true });
}

/** Tells that something did not work, where no form is open that could. */
export function failed(message: string): void {
  notifications.show({ message, color: 'red', autoClose: 8000, withBorder: true, role: 'alert' });
}
