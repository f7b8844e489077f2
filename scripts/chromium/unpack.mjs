// Unpacks the packaged Chromium into TMPDIR, and prints its path and that of its libraries.
import chromium from '@sparticuz/chromium';

const executablePath = await chromium.executablePath();
console.log(JSON.stringify({ executablePath, libraries: process.env.LD_LIBRARY_PATH }));
