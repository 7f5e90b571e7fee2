/** Chinese. */
export const zh = {
  nav: '记忆',
  title: '已记住的内容',
}
