/**
 * Effects on the Markdown mirror: small steps in `.dsh-memory` of a workspace.
 * @module dsh-native-memory/mirror
 */

import { constants } from 'node:fs'
import { lstat, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const FOLDER = '.dsh-memory'
const FILE = 'memory.md'
/** No symlink is followed and no FIFO waited for; zero where the system knows neither. */
const CAUTIOUS = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** The effects by kind. */
export const mirrorEffects = {
  mirror: async ({ workspace, step, ...rest }) => steps[step](workspace, rest),
}

const steps = {
  look: async (workspace, { place }) => {
    try {
      const at = await {
        workspace: () => stat(workspace),
        folder: () => lstat(join(workspace, FOLDER)),
        file: async () => lstat(join(await folderOf(workspace), FILE)),
      }[place]()
      return { entry: kindOf(at), mode: process.platform === 'win32' ? null : at.mode & 0o777 }
    } catch (error) {
      if (error.code === 'ENOENT') return { entry: 'missing', mode: null }
      throw error
    }
  },
  read: async (workspace, { most }) => {
    const file = await open(join(await folderOf(workspace), FILE), constants.O_RDONLY | CAUTIOUS)
    try {
      const at = await file.stat()
      if (!at.isFile()) throw fault('EINVAL', 'it is not a regular file')
      if (at.size > most) throw fault('EFBIG', `it has more than ${most} bytes`)
      return decode(await file.readFile())
    } finally {
      await file.close()
    }
  },
  'create-folder': (workspace) => mkdir(join(workspace, FOLDER), { mode: 0o700 }).then(nothing),
  'write-new': async (workspace, { name, text, mode }) => {
    const path = join(await folderOf(workspace), name)
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | CAUTIOUS
    const file = await open(path, flags, 0o600)
    try {
      // Set, not only asked for: the umask was applied when it was made.
      if (mode !== null) await file.chmod(mode & 0o777)
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    return null
  },
  'put-in-place': async (workspace, { name }) => {
    const folder = await folderOf(workspace)
    await rename(join(folder, name), join(folder, FILE))
    // It is in place; a folder that cannot be synced is no reason to fail.
    await syncFolder(folder).catch(nothing)
    return null
  },
  remove: async (workspace, { name }) => rm(join(await folderOf(workspace), name)).then(nothing),
}

/** The real path of the mirror's folder, which must lie in the workspace itself. */
async function folderOf(workspace) {
  const [root, folder] = await Promise.all([realpath(workspace), realpath(join(workspace, FOLDER))])
  if (folder !== join(root, FOLDER)) throw fault('ELOOP', `${FOLDER} leads out of the workspace`)
  return folder
}

async function syncFolder(folder) {
  const handle = await open(folder, constants.O_RDONLY)
  await handle.sync().finally(() => handle.close())
}

function kindOf(at) {
  if (at.isSymbolicLink()) return 'symlink'
  if (at.isDirectory()) return 'folder'
  return at.isFile() ? 'file' : 'other'
}

/** Text, or null for bytes that are none. */
function decode(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

function fault(code, message) {
  return Object.assign(new Error(message), { code })
}

function nothing() {
  return null
}
