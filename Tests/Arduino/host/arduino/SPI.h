// Nothing of it is used on the host.
#pragma once
