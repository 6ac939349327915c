"""In place of the renderer: reads nothing, writes nothing, and does not end while anybody waits."""

import time

if __name__ == "__main__":
    time.sleep(60)
