declare module 'unicode-confusables' {
  /** Each character that Unicode calls confusable by the one that stands for all that look like it. */
  export function rectifyConfusion(text: string): string;
}
