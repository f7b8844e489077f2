/** What the code of the toasts shows. */
export type Toast = {
  title?: string;
  message: string | undefined;
  color: string;
  withBorder: boolean;
  autoClose?: number | false;
  role?: 'alert';
};
