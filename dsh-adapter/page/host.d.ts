/** Modules that the host's page or the bundler gives. */

declare module '*.css' {
  const text: string
  export default text
}

declare module '@deepseek-ai/dsh-client-ui-primitives' {
  import type { ButtonHTMLAttributes, InputHTMLAttributes, ReactElement } from 'react'

  type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement>
  export function Button(
    props: ButtonProps & {
      variant?: 'primary' | 'ghost' | 'outline' | 'toolbar'
      size?: 'md' | 'sm'
    },
  ): ReactElement
  export function Pill(props: ButtonProps & { active?: boolean }): ReactElement
  export function Input(props: InputHTMLAttributes<HTMLInputElement>): ReactElement
  export function writeClipboard(text: string): Promise<boolean>
}
