"""What every proof uses: records of what was shown, waiting, processes, the broker, the boards and the bridge."""
