/** English. */
export const en = {
  nav: 'Memory',
  title: 'What is remembered',
}
